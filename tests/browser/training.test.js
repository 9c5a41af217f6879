// A word after k merges, as the merges of the notes cut it.

import assert from "node:assert/strict"
import { test } from "node:test"
import { mergePair, Training } from "../../playground/browser/training.js"

/** "hug" merges as in the Hugging Face course: u + g, u + n, h + ug. */
const HUG = new Training({
  unit: "characters",
  end: "",
  words: [["hug", 10], ["pug", 5], ["pun", 12], ["bun", 4], ["hugs", 5]],
  symbols: ["b", "g", "h", "n", "p", "s", "u"],
  specials: [],
  merges: [6, 1, 7, 20, 6, 3, 8, 16, 2, 7, 9, 15],
  rounds: [],
})

/**
 * @param {number} word
 * @param {number} step
 */
const cut = (word, step) => HUG.words[word].cut(step).map((symbol) => HUG.spelling[symbol])

test("each merge joins its pair wherever it stands", () => {
  assert.deepEqual(cut(0, 0), ["h", "u", "g"])
  assert.deepEqual(cut(0, 1), ["h", "ug"])
  assert.deepEqual(cut(2, 1), ["p", "u", "n"])
  assert.deepEqual(cut(2, 2), ["p", "un"])
  assert.deepEqual(cut(4, 3), ["hug", "s"])
})

test("a symbol knows the merge that made it, base symbols none", () => {
  assert.equal(HUG.madeBy.get(9), 2)
  assert.equal(HUG.madeBy.get(0), undefined)
})

test("merges go from the left and overlap nowhere", () => {
  assert.deepEqual(mergePair(["a", "a", "a"], "a", "a", "aa"), ["aa", "a"])
})

test("a pair that is merged twice is merged at both places of the order", () => {
  const training = new Training({
    unit: "bytes",
    end: "",
    words: [["abab", 1]],
    symbols: Array.from({ length: 256 }, (_, byte) => byte),
    specials: [],
    merges: [97, 98, 256, 2, 256, 256, 257, 1],
    rounds: [],
  })
  const [word] = training.words
  assert.deepEqual(word.cut(0), [97, 98, 97, 98])
  assert.deepEqual(word.cut(1), [256, 256])
  assert.deepEqual(word.cut(2), [257])
})

test("a long word is shown up to a limit, and says so", () => {
  const training = new Training({
    unit: "bytes",
    end: "",
    words: [["a".repeat(1000), 1]],
    symbols: Array.from({ length: 256 }, (_, byte) => byte),
    specials: [],
    merges: [97, 97, 256, 999],
    rounds: [],
  })
  assert.equal(training.words[0].cut(0).length, 400)
  assert.equal(training.words[0].cut(1).length, 200)
  assert.ok(training.words[0].long)
})
