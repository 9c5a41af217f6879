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

/** Return what draws in a place of its own, and returns what ends that drawing. */
function drawingIn() {
  happened = []
  const draw = mounted(Noted)
  const place = /** @type {HTMLElement} */ (/** @type {unknown} */ ({ isConnected: true }))
  const tell = () => {}
  return (/** @type {string} */ data) =>
    draw({ parentElement: place, data, setStateValue: tell, setTriggerValue: tell })
}

const later = () => new Promise((go) => setTimeout(go, 5))

test("a drawing that was overtaken ends without the view", async () => {
  const drawing = drawingIn()
  const endFirst = drawing("first")
  const endSecond = drawing("second")
  endFirst()
  assert.deepEqual(happened, ["made", "first", "second"])
  await later()
  endSecond()
  drawing("third")
  assert.deepEqual(happened, ["made", "first", "second", "gone", "made", "third"])
  await later()
})

test("drawings that come after the one that overtook them leave the view to it", async () => {
  const drawing = drawingIn()
  const endNewest = drawing("newest")
  const ends = [drawing("old"), drawing("older")]
  for (const end of ends) end()
  assert.deepEqual(happened, ["made", "newest", "old", "older", "newest"])
  await later()
  endNewest()
  assert.equal(happened.at(-1), "gone")
  await later()
})

test("what is drawn again and again ends with the last drawing", async () => {
  const drawing = drawingIn()
  drawing("first")
  await later()
  const end = drawing("second")
  await later()
  end()
  assert.deepEqual(happened, ["made", "first", "second", "gone"])
})
