// What is marked in a word, and what the reader may bet on.

import assert from "node:assert/strict"
import { test } from "node:test"
import { choicesOf } from "../../playground/merge_view/bets.js"
import { marksOf } from "../../playground/merge_view/words.js"

test("what was just made and what is merged next is marked, without overlap", () => {
  assert.deepEqual(marksOf([1, 1, 1, 9], { new: 9 }, { left: 1, right: 1 }), [
    ["next-left"],
    ["next-right"],
    [],
    ["fresh"],
  ])
  assert.deepEqual(marksOf([9, 2], { new: 9 }, { left: 9, right: 2 }), [
    ["fresh", "next-left"],
    ["next-right"],
  ])
  assert.deepEqual(marksOf([1, 2], null, null), [[], []])
})

/** @param {number[]} counts */
function roundOf(...counts) {
  const pairs = counts.map((count, n) => ({ left: n, right: n, count, before: null }))
  return { pairs, ties: 1, tokens: 0, size: 0, changed: [], changedTotal: 0, removed: [] }
}

test("a bet is among the next pair and two that are less frequent", () => {
  for (const step of [0, 1, 2, 3]) {
    const counts = choicesOf(roundOf(9, 7, 5, 3), step).map((pair) => pair.count)
    assert.deepEqual(counts.toSorted((a, b) => b - a), [9, 7, 5])
  }
  const firsts = [0, 1, 2].map((step) => choicesOf(roundOf(9, 7, 5), step)[0].count)
  assert.equal(new Set(firsts).size, 3, "the order tells nothing")
})

test("where pairs are as frequent, the one that the rule takes is among them", () => {
  for (const step of [0, 1, 2]) {
    const lefts = choicesOf(roundOf(9, 9, 9, 9), step).map((pair) => pair.left)
    assert.deepEqual(lefts.toSorted(), [0, 1, 2])
  }
  assert.deepEqual(choicesOf(roundOf(9, 9, 5), 0).map((pair) => pair.count), [9, 9])
})
