// Which blocks stay as they are after an edit, and which hues tokens get.

import assert from "node:assert/strict"
import { test } from "node:test"
import { alike, giveHues, signatureOf } from "../../playground/token_view/blocks.js"
import { Row, written } from "../../playground/browser/row.js"
import { encode } from "../../playground/browser/utf8.js"

/** @param {string[]} pieces */
function rowOf(...pieces) {
  const alone = { name: "", space: "", counts: null, first: 0, lead: 0, special: [] }
  const count = pieces.length
  const ids = pieces.map((piece) => piece.length)
  return new Row({ ...alone, ...written(pieces.map(encode)), ids, count, total: count })
}

/** @param {string} letters */
const blocksOf = (letters) => [...letters].map((signature) => ({ signature }))

/**
 * @param {string} old
 * @param {string} now
 */
const staying = (old, now) =>
  alike(blocksOf(old), blocksOf(now)).map(([{ signature }]) => signature).sort().join("")

for (
  const [old, now, same] of [
    ["abcdef", "abxdef", "abdef"], // one changed
    ["abcdef", "abxcdef", "abcdef"], // one inserted
    ["abcdef", "abdef", "abdef"], // one removed
    ["abcdef", "abxcde", "abcde"], // a window that ends as far as before
    ["", "abc", ""],
    ["abc", "xyz", ""],
  ]
) {
  test(`of ${old || "nothing"}, ${same || "nothing"} stays in ${now}`, () => {
    assert.equal(staying(old, now), same)
  })
}

test("blocks of equal signatures have equal ids and bytes", () => {
  const one = rowOf("南", "京", "南")
  const [first, second, third] = one.tokens
  assert.equal(signatureOf([[first]]), signatureOf([[third]]))
  assert.notEqual(signatureOf([[first]]), signatureOf([[second]]))
  assert.notEqual(signatureOf([[first], [first]]), signatureOf([[first]]))
})

test("neighbours never share a hue, and tokens that have one keep it", () => {
  const { tokens } = rowOf("a", "b", "c", "d")
  tokens[1].given = 3
  tokens[2].given = null
  giveHues(tokens)
  const hues = tokens.map((token) => token.given)
  assert.equal(hues[1], 3)
  hues.slice(1).forEach((hue, n) => assert.notEqual(hue, hues[n]))
})
