// A view lives as long as the last drawing of its place.

import assert from "node:assert/strict"
import { test } from "node:test"
import { mounted, View } from "../../playground/browser/elements.js"

/** @type {string[]} */
let happened = []

/** @extends {View<string>} */
class Noted extends View {
  constructor() {
    super()
    happened.push("made")
  }

  /** @param {string} data */
  update(data) {
    happened.push(data)
  }

  destroy() {
    happened.push("gone")
  }
}

test("a drawing that was overtaken ends without the view", () => {
  happened = []
  const draw = mounted(Noted)
  const place = /** @type {HTMLElement} */ (/** @type {unknown} */ ({}))
  const tell = () => {}
  const drawing = (/** @type {string} */ data) =>
    draw({ parentElement: place, data, setStateValue: tell, setTriggerValue: tell })
  const endFirst = drawing("first")
  const endSecond = drawing("second")
  endFirst()
  assert.deepEqual(happened, ["made", "first", "second"])
  endSecond()
  drawing("third")
  assert.deepEqual(happened, ["made", "first", "second", "gone", "made", "third"])
})
