// Which language the page says that it is in, when Streamlit calls with what is out of date, and
// how long rooms are reserved.

import assert from "node:assert/strict"
import { test } from "node:test"

const root = { lang: "en", dataset: {} }
const page = { querySelector: () => null }
let running = true
let tick = () => {}
class Nothing {
  observe() {}
  disconnect() {}
}
Object.assign(globalThis, {
  document: {
    documentElement: root,
    body: {},
    addEventListener() {},
    /** @param {string} selector */
    querySelector: (selector) => selector.startsWith(".stApp") ? (running ? null : {}) : page,
  },
  history: { pushState() {}, replaceState() {}, state: null },
  location: new URL("http://localhost/"),
  MutationObserver: Nothing,
  Node: { TEXT_NODE: 3 },
  Element: Nothing,
  /** @param {() => void} then */
  setInterval: (then) => (tick = then, 0),
})
const { default: draw } = await import("../../playground/ui/frame/translate.js")

test("the language is the one chosen last, whatever is drawn again after it", () => {
  const chinese = { lang: "zh-CN", since: 1000, words: {} }
  const english = { lang: "en", since: 2000, words: {} }
  const languages = [chinese, english, chinese, english, { ...chinese, since: 3000 }, english]
  assert.deepEqual(
    languages.map((data) => (draw({ data }), root.lang)),
    ["zh-CN", "en", "en", "en", "zh-CN", "zh-CN"],
  )
})

test("what has been shown stays; rooms are reserved until the first run has been over for a while", () => {
  const wait = () => [1, 2, 3].forEach(tick)
  wait()
  assert.deepEqual(root.dataset, { touched: "" })
  running = false
  tick()
  running = true // it starts over
  wait()
  assert.deepEqual(root.dataset, { touched: "" })
  running = false
  wait()
  assert.deepEqual(root.dataset, { touched: "", over: "" })
})
