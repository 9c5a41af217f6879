// The cells of a text under its tokens, and their colours while one types.

import assert from "node:assert/strict"
import { test } from "node:test"
import { Cells, cellsOf, difference } from "../../playground/editor/cells.js"
import { linesOf } from "../../playground/editor/layer.js"

test("a token is a cell", () => {
  assert.deepEqual(cellsOf("abc中", [2, 1, 3]), {
    length: [2, 1, 1],
    tokens: [1, 1, 1],
    joined: [0, 0, 0],
  })
})

test("a character of several tokens is one cell", () => {
  const cells = cellsOf("中a", [1, 2, 1])
  assert.deepEqual(cells.tokens, [2, 1])
  assert.deepEqual(cells.length, [1, 1])
})

test("tokens that overlap characters are joined", () => {
  // 中国 in tokens of 2, 2 and 2 bytes: the second has bytes of both characters.
  const cells = cellsOf("中国", [2, 2, 2])
  assert.deepEqual(cells, { length: [1, 1], tokens: [2, 2], joined: [0, 1] })
})

test("an emoji is two UTF-16 units", () => {
  assert.deepEqual(cellsOf("a😀b", [5, 1]).length, [3, 1])
})

test("where two texts differ", () => {
  assert.deepEqual(difference("abcd", "abXd"), { at: 2, removed: 1, inserted: 1 })
  assert.deepEqual(difference("aa", "aaa"), { at: 2, removed: 0, inserted: 1 })
  assert.deepEqual(difference("", ""), { at: 0, removed: 0, inserted: 0 })
})

/**
 * Cells after an answer to `text`.
 * @param {string} text
 * @param {number[]} sizes
 */
function coloured(text, sizes) {
  const cells = new Cells()
  cells.edit(difference("", text))
  cells.answer(cellsOf(text, sizes))
  return cells
}

test("neighbours have different hues", () => {
  const { hue } = coloured("abcdefgh", [1, 1, 1, 1, 1, 1, 1, 1]).all
  hue.slice(1).forEach((each, n) => assert.notEqual(each, hue[n]))
})

test("cells before and behind an edit keep their hues", () => {
  const cells = coloured("ab cd ef", [2, 3, 3])
  const before = [...cells.all.hue]
  cells.edit(difference("ab cd ef", "ab cXd ef"))
  assert.deepEqual(cells.all.length, [2, 4, 3], "the token that is typed into grows")
  cells.answer(cellsOf("ab cXd ef", [2, 2, 2, 3]))
  const { length, hue } = cells.all
  assert.deepEqual(length, [2, 2, 2, 3])
  assert.equal(hue[0], before[0])
  assert.equal(hue[3], before[2])
  hue.slice(1).forEach((each, n) => assert.notEqual(each, hue[n]))
})

test("whatever is typed or deleted, the cells have the length of the text", () => {
  let state = 7
  const random = (/** @type {number} */ below) => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor((state / 2147483648) * below)
  }
  let text = "the quick brown fox"
  const cells = coloured(text, [3, 6, 6, 4])
  for (let round = 0; round < 500; round++) {
    const at = random(text.length + 1)
    const removed = random(Math.min(5, text.length - at) + 1)
    const now = text.slice(0, at) + "x".repeat(random(60)) + text.slice(at + removed)
    cells.edit(difference(text, now))
    text = now.length > 300 ? now.slice(0, 100) : now
    if (text !== now) cells.edit(difference(now, text))
    assert.equal(cells.all.length.reduce((sum, length) => sum + length, 0), text.length)
    if (round % 7 === 0) cells.answer(cellsOf(text, Array(text.length).fill(1)))
  }
})

test("long texts are laid out in blocks that end at line breaks", () => {
  const line = `${"a".repeat(99)}\n`
  const pieces = linesOf(line.repeat(30), 0, 3000)
  assert.equal(pieces.join(""), line.repeat(30))
  assert.ok(pieces.length > 1)
  assert.ok(pieces.every((piece) => piece.endsWith("\n")))
  assert.deepEqual(linesOf("a".repeat(3000), 0, 3000), ["a".repeat(3000)])
})
