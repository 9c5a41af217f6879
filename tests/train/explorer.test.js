// The tokenizer of any smaller vocabulary is a beginning of the merges.

import assert from "node:assert/strict"
import { test } from "node:test"
import { laidOut, progressAfter, videoKind } from "../../playground/browser/canvas.js"
import { ticks } from "../../playground/train/explorer/chart.js"
import { asCsv } from "../../playground/train/explorer/chart_file.js"
import { sizesIn } from "../../playground/train/explorer/desk.js"
import {
  HANZI,
  HANZIS,
  kindOf,
  Model,
  PART,
  REST,
  scaled,
  scriptOf,
  unscaled,
} from "../../playground/train/explorer/model.js"
import { Text } from "../../playground/train/explorer/text.js"

/** "aa aa b": a + a is made twice, in pre-tokens without 汉字. */
function model() {
  const base = new Array(256).fill(0)
  base[0x61] = 4
  base[0x62] = 1
  base[0x20] = 2
  return new Model({
    unit: "bytes",
    specials: ["<|end|>"],
    left: [0x61],
    right: [0x61],
    count: [2],
    zh: [0],
    other: [2],
    base,
    totals: { zh: { size: 0, symbols: 0 }, other: { size: 7, symbols: 7 } },
  })
}

test("special tokens come before what merges make", () => {
  assert.equal(model().size(0), 257)
  assert.equal(model().size(1), 258)
  assert.deepEqual(model().made, [257])
})

test("what the corpus holds after each merge", () => {
  const { occurs, ids, other } = model().at(1)
  assert.equal(occurs[0x61], 0)
  assert.equal(occurs[257], 2)
  assert.equal(ids.length, 258)
  assert.equal(other, 7 / 5)
  assert.equal(model().at(0).other, 1)
})

test("a text is cut by as many merges as one likes, special tokens by none", () => {
  const text = new Text(model(), [["aaa", false], ["<|end|>", true], ["b", false]])
  const cut = (/** @type {number} */ done) => text.row(done).tokens.map((token) => token.hex)
  assert.deepEqual(cut(0), ["61", "61", "61", "3C 7C 65 6E 64 7C 3E", "62"])
  assert.deepEqual(cut(1), ["61 61", "61", "3C 7C 65 6E 64 7C 3E", "62"])
  assert.deepEqual([...text.row(1).special], [2])
})

test("a colour belongs to a place in the text", () => {
  const text = new Text(model(), [["aab", false]])
  const [before] = text.row(0).tokens
  const [after] = text.row(1).tokens
  assert.equal(before.hue, after.hue)
})

for (
  const [text, kind, script] of /** @type {[string | null, number, string][]} */ ([
    ["中", HANZI, "han"],
    ["中国", HANZIS, "han"],
    [" 中国", HANZIS, "han"],
    ["中 ", HANZI, "han"],
    ["中a", REST, "mixed"],
    ["été", REST, "latin"],
    ["мир", REST, "other"],
    ["42", REST, "digits"],
    ["。", REST, "signs"],
    [" \n", REST, "space"],
    [null, PART, "part"],
  ])
) {
  test(`${JSON.stringify(text)} is ${script}`, () => {
    assert.equal(kindOf(text), kind)
    assert.equal(scriptOf(text), script)
  })
}

test("every merge has its place on the axis, and both ends are theirs", () => {
  for (const last of [1, 300, 301, 50000]) {
    assert.equal(scaled(0, last), 0)
    assert.equal(scaled(last, last), 1)
    for (const done of [1, last >> 1, last]) assert.equal(unscaled(scaled(done, last), last), done)
  }
  assert.equal(scaled(0, 0), 0)
})

test("ticks are round numbers up to the largest value", () => {
  assert.deepEqual(ticks(1), [0, 0.5, 1])
  assert.deepEqual(ticks(37), [0, 10, 20, 30])
})

test("a chart as CSV has a row for each step and gaps where nothing was measured", () => {
  const series = [{ name: "zh", values: [null, 2.5], className: "" }]
  assert.equal(asCsv("merges", [0, 1], series), "\ufeffmerges,zh\n0,\n1,2.5\n")
})

test("pieces leave where nothing is merged, and their texts are cut anew", () => {
  const unigram = new Model({
    unit: "characters",
    specials: [],
    symbols: ["<unk>", "江", "江水", "水"],
    fixed: 1,
    end: "",
    inside: [],
    left: [],
    right: [],
    made: [],
    removed: [[0, [2]]],
    ids: [0, 2, null, 1],
    sizes: [4, 3],
    changes: [[1, 3, 2, -3, 3, 3]],
    count: [3],
    zh: [-3],
    other: [0],
    base: [0, 0, 3, 0],
    totals: { zh: { size: 18, symbols: 3 }, other: { size: 0, symbols: 0 } },
  })
  assert.equal(unigram.last, 1)
  assert.deepEqual([0, 1].map((done) => unigram.size(done)), [4, 3])
  assert.deepEqual([0, 1].map((done) => unigram.at(done).zh), [6, 3])
  assert.deepEqual([1, 2].map((id) => unigram.learned(id)), [false, true])
  assert.deepEqual(unigram.at(1).ids, [0, 1, 3])
  const text = new Text(unigram, [["江水", false, [[0, [2]], [1, [1, 3]]]]])
  assert.deepEqual([0, 1].map((done) => text.row(done).total), [1, 2])
})

test("a text that is edited is coloured by its tokens, the white space between them aside", () => {
  const [bytes, none] = [
    (/** @type {string} */ text) => new TextEncoder().encode(text),
    new Uint8Array(),
  ]
  const sizes = (/** @type {string} */ text, /** @type {string[]} */ tokens, end = none) =>
    sizesIn(bytes(text), tokens.map(bytes), end)
  assert.deepEqual(sizes("low newest", ["low", " new", "est"]), [3, 4, 3])
  assert.deepEqual(
    sizesIn(bytes("中"), [bytes("中").subarray(0, 2), bytes("中").subarray(2)], none),
    [2, 1],
  )
  assert.deepEqual(sizes("low  newest\n", ["low</w>", "new", "est</w>"], bytes("</w>")), [3, 5, 3])
  assert.equal(sizes("LOW", ["low"]), null)
})

test("boxes stand in lines as long as there is room", () => {
  const places = [[0, 0], [0, 40], [1, 0], [2, 0]].map(([line, x]) => ({ line, x }))
  assert.deepEqual(laidOut([40, 40, 90, 200, 10], 100, 3), places)
  assert.deepEqual(laidOut([40, 40, 90, 200, 10], 100, 2), places.slice(0, 3))
  assert.deepEqual(laidOut([], 100, 3), [])
})

test("a film begins and ends with a still", () => {
  assert.deepEqual([0, 1, 5, 9, 99].map(progressAfter), [0, 0, 0.5, 1, 1])
})

test("a browser that records nothing offers no video", () => {
  assert.equal(videoKind(), undefined)
})
