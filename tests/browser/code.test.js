// Which line of the code ran last, and which runs next.

import assert from "node:assert/strict"
import { test } from "node:test"
import { following, ranAt } from "../../playground/browser/code.js"

const PARTS = ["pairs", "rule", "words"]

test("line by line a round runs, and the last line of it makes the step", () => {
  let place = { step: 0, part: "pairs" }
  const seen = []
  for (let n = 0; n < 6; n++) {
    place = following(PARTS, place, 2)
    seen.push(`${place.step} ${place.part}`)
  }
  assert.deepEqual(seen, ["0 rule", "1 words", "1 pairs", "1 rule", "2 words", "2 pairs"])
  assert.deepEqual(following(PARTS, place, 2), { step: 2, part: "pairs" })
})

test("a click on a line goes to where it ran last", () => {
  assert.deepEqual(ranAt(PARTS, "words", 3, 5), { step: 3, part: "words" })
  assert.deepEqual(ranAt(PARTS, "words", 0, 5), { step: 1, part: "words" })
  assert.deepEqual(ranAt(PARTS, "words", 0, 0), { step: 0, part: "words" })
  assert.deepEqual(ranAt(PARTS, "rule", 3, 5), { step: 3, part: "rule" })
  assert.deepEqual(ranAt(PARTS, "rule", 5, 5), { step: 5, part: "pairs" })
})
