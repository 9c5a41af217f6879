// Back leads to the page before, and in the course to the lesson before. Streamlit adds an entry to
// the browser's history with every change that a script makes to the URL, and on the way to another
// page it first takes the settings of this one out of it: here a change replaces the entry, and the
// page is left as it was when the way to another one was clicked. After Back or Forward, a message of
// a run of the page that was left may still come. Until the next key or click nothing may add an
// entry, which would drop those ahead, or lead to another page. A late change of the settings in the
// URL is undone by the run of the page come back to (playground/navigation.py).

const push = history.pushState.bind(history)
/** @typedef {string | URL | null | undefined} Address */

const path = (/** @type {Address} */ url) => new URL(url ?? "", location.href).pathname
const lesson = (/** @type {Address} */ url) =>
  new URL(url ?? "", location.href).searchParams.get("lesson")
const turned = (/** @type {Address} */ url) =>
  lesson(location.href) && lesson(url) && lesson(url) !== lesson(location.href)
let atClick = location.href
let returned = false

addEventListener("popstate", () => (returned = true), true)
addEventListener("keydown", () => (returned = false), true)
addEventListener(
  "click",
  () => {
    returned = false
    atClick = location.href
  },
  true,
)

history.pushState = (state, title, url) => {
  const here = path(url) === location.pathname
  if (returned && !here) return
  if (here && (returned || !turned(url))) return history.replaceState(state, title, url)
  if (path(atClick) === location.pathname) history.replaceState(history.state, "", atClick)
  return push(state, title, url)
}
