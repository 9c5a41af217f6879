// Sentences with gaps, and characters as glyphs.

import assert from "node:assert/strict"
import { test } from "node:test"
import { codePoint, glyphOf } from "../../playground/browser/glyphs.js"
import { fill, range, sentence, shorten } from "../../playground/browser/words.js"

test("gaps are filled, numbers with separators, and what is not given is empty", () => {
  assert.equal(fill("{n} of {total}", { n: 3, total: 20000 }), "3 of 20,000")
  assert.equal(fill("id {id}{more}", { id: "20000" }), "id 20000")
})

test("a sentence is texts and nodes in order, without what is empty", () => {
  const chip = /** @type {Node} */ ({})
  const said = sentence("{left} + {right}, {n} times", { left: chip, right: "", n: 1200 })
  assert.deepEqual(said, [chip, " + ", ", ", "1,200", " times"])
})

test("places and long texts", () => {
  assert.equal(range(2, 2), "2")
  assert.equal(range(2, 3), "2–3")
  assert.equal(shorten("abcd", 3), "abc…")
  assert.equal(shorten("abc", 3), "abc")
})

for (
  const [text, glyph] of [
    [" ", "·"],
    ["\n", "⏎"],
    ["\u3000", "□"],
    ["\x1b", "1B"],
    ["\u202e", "U+202E"], // turns the page around
    ["\u0301", "◌\u0301"],
    ["中", "中"],
  ]
) {
  test(`${codePoint(text)} is drawn as ${glyph}`, () => assert.equal(glyphOf(text), glyph))
}
