// Back leads to the page before. Streamlit adds an entry to the browser's history with every change
// that a script makes to the URL, and on the way to another page it first takes the settings of this
// one out of it: here a change replaces the entry, and the page is left as it was when the way to
// another one was clicked.

const push = history.pushState.bind(history);
const path = (url) => new URL(url ?? "", location.href).pathname;
let atClick = location.href;

document.addEventListener("click", () => (atClick = location.href), true);

history.pushState = (state, title, url) => {
  if (path(url) === location.pathname) return history.replaceState(state, title, url);
  if (path(atClick) === location.pathname) history.replaceState(history.state, "", atClick);
  return push(state, title, url);
};
