// Back leads to the page before, and in the course to the lesson before. Streamlit adds an entry to
// the browser's history with every change that a script makes to the URL, and on the way to another
// page it first takes the settings of this one out of it: here a change replaces the entry, and the
// page is left as it was when the way to another one was clicked. After Back and Forward, what a run
// of the page before still has to say arrives late: it neither adds an entry, which would drop those
// ahead, nor leads to its page again (Python says the address once more, see playground/navigation).

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
