// Stores what the session holds, for when the tab is loaded again, and sends it then. It is stored
// for the tab alone: two tabs know nothing of each other.

/** @import { Drawing } from "../browser/elements.js" */
import { store, stored } from "../browser/storage.js"

const STORE = "bpe session"
const NEW = "navigate" // neither loaded again nor come back to

/**
 * The session as Python packs it, whether it asks for that of before, and whether it needs a run.
 * @typedef {{packed: string, ask: boolean, again: boolean}} Data
 */

let asked = false

/** @param {Drawing<Data>} drawing */
export default function ({ data, setStateValue, setTriggerValue }) {
  const [navigation] = performance.getEntriesByType("navigation")
  const loaded = navigation instanceof PerformanceNavigationTiming ? navigation.type : NEW
  const before = !asked && data.ask && loaded !== NEW ? stored(STORE) : null
  asked = true
  if (before && before !== data.packed) {
    whenDrawn(() => setStateValue("stored", before))
    return
  }
  store(STORE, data.packed)
  if (data.again) whenDrawn(() => setTriggerValue("ready", true))
}

/**
 * Wait until the first run is over and on the screen: a run that overtakes it would undo it.
 * @param {() => void} then
 */
function whenDrawn(then) {
  const app = document.querySelector(".stApp")
  const waiting = setInterval(() => {
    if (app?.getAttribute("data-test-script-state") !== "notRunning") return
    clearInterval(waiting)
    requestAnimationFrame(() => requestAnimationFrame(then))
  }, 50)
}
