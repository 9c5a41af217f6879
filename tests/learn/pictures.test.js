// Boundaries that rows share, the curve of a text, and the tree of an encoding.

import assert from "node:assert/strict"
import { test } from "node:test"
import { Training, Word } from "../../playground/browser/training.js"
import { unitsOf } from "../../playground/browser/utf8.js"
import { treeOf } from "../../playground/encoding_view/tree.js"
import { curveOf } from "../../playground/learn/ladder/chart.js"
import { commonBoundaries } from "../../playground/learn/ladder/rows.js"

/**
 * @param {"bytes" | "characters" | "tokens" | "bpe"} kind
 * @param {number[]} sizes
 */
function row(kind, ...sizes) {
  const cut = { step: 0, sizes, labels: null, ids: null, note: "", faded: [], count: null }
  return { name: kind, kind, frames: kind === "bpe" ? [] : [cut], walls: [] }
}

const UNITS = unitsOf(new TextEncoder().encode("中a国"))

test("a block ends where every row has a boundary", () => {
  const rows = [row("characters", 3, 1, 3), row("tokens", 4, 3), row("bytes", 1, 1, 1, 1, 1, 1, 1)]
  assert.deepEqual(commonBoundaries(UNITS, rows, null), [4, 7])
})

test("a row that ends early has no say behind its end", () => {
  const rows = [row("characters", 3, 1, 3), row("tokens", 3)]
  assert.deepEqual(commonBoundaries(UNITS, rows, null), [3, 4, 7])
})

test("rows that follow a training keep to its pre-tokens", () => {
  assert.deepEqual(commonBoundaries(UNITS, [row("bpe")], [4, 3]), [4, 7])
})

test("without such rows, characters are blocks", () => {
  assert.deepEqual(commonBoundaries(UNITS, [row("bytes", 1)], null), [3, 4, 7])
})

test("the curve falls at the merges that shorten the text", () => {
  const symbols = Array.from({ length: 256 }, (_, byte) => byte)
  const merges = [98, 98, 256, 1, 97, 97, 257, 2]
  const shared = { words: [], specials: [], rounds: [], end: "" }
  const training = new Training({ unit: "bytes", symbols, merges, ...shared })
  const piece = new Word(training, 1, () => [97, 97, 97, 97])
  assert.deepEqual(curveOf([piece], 4, training.last), [[0, 4], [2, 4], [2, 2], [2, 2]])
})

test("a node of the tree stands over its parts", () => {
  const steps = [
    { sizes: [1, 1, 1], ranks: [5, 2], place: 1, rank: 2 },
    { sizes: [1, 2], ranks: [7], place: 0, rank: 7 },
    { sizes: [3], ranks: [], place: null, rank: null },
  ]
  assert.deepEqual(treeOf(steps).slice(3), [
    { start: 1, end: 3, step: 1, height: 1, rank: 2 },
    { start: 0, end: 3, step: 2, height: 2, rank: 7 },
  ])
})
