// Keeps what the session holds, for when the tab is loaded again, and sends it then. What is kept is
// the tab's own: two tabs know nothing of each other.

const STORE = "bpe session"
const NEW = "navigate" // neither loaded again nor come back to

let asked = false

export default function ({ data, setStateValue, setTriggerValue }) {
  const loaded = performance.getEntriesByType("navigation")[0]?.type ?? NEW
  const stored = !asked && data.ask && loaded !== NEW ? read() : null
  asked = true
  if (stored && stored !== data.packed) {
    drawn(() => setStateValue("stored", stored))
    return
  }
  write(data.packed)
  if (data.again) drawn(() => setTriggerValue("ready", true))
}

/** Wait until the first run is over and on the screen: a run that overtakes it would undo it. */
function drawn(then) {
  const app = document.querySelector(".stApp")
  const waiting = setInterval(() => {
    if (app?.dataset.testScriptState !== "notRunning") return
    clearInterval(waiting)
    requestAnimationFrame(() => requestAnimationFrame(then))
  }, 50)
}

function read() {
  try {
    return sessionStorage.getItem(STORE)
  } catch {
    return null
  }
}

function write(text) {
  try {
    sessionStorage.setItem(STORE, text)
  } catch {
    // Without storage, or beyond its size, a loaded page begins anew.
  }
}
