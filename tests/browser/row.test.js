// Which bytes of which characters a token holds.

import assert from "node:assert/strict"
import { test } from "node:test"
import { partsOf, Row, written } from "../../playground/browser/row.js"
import { encode } from "../../playground/browser/utf8.js"

/**
 * A row of tokens with the bytes of a text between these places.
 * @param {Uint8Array} bytes
 * @param {number[]} ends
 */
function rowOf(bytes, ends) {
  const tokens = ends.map((end, n) => bytes.subarray(n ? ends[n - 1] : 0, end))
  const alone = { name: "", space: "", total: tokens.length, counts: null, first: 0, lead: 0 }
  const ids = tokens.map((_, n) => 100 + n)
  return new Row({ ...alone, ...written(tokens), count: tokens.length, ids, special: [] })
}

/** @param {Row} row */
const kindsOf = (row) => row.tokens.map((token) => token.kind(token.parts))

test("tokens are whole, several, parts, or both", () => {
  const row = rowOf(encode("ab中国城"), [1, 2, 3, 8, 9, 11])
  assert.deepEqual(kindsOf(row), ["whole", "whole", "part", "mixed", "part", "part"])
})

test("a part says which bytes of its character it holds", () => {
  const [first, second] = rowOf(encode("中"), [1, 3]).tokens
  assert.deepEqual([first.parts[0].first, first.parts[0].last], [1, 1])
  assert.deepEqual([second.parts[0].first, second.parts[0].last], [2, 3])
  assert.equal(second.hex, "B8 AD")
})

test("bytes that are no character", () => {
  const row = rowOf(Uint8Array.of(0x61, 0xff, 0xe4), [1, 3])
  assert.deepEqual(kindsOf(row), ["whole", "bytes"])
  assert.deepEqual(row.units.map((unit) => unit.text), ["a", null, null])
  assert.equal(row.tokens[1].hex, "FF E4")
})

test("a token without bytes has no parts", () => {
  assert.deepEqual(kindsOf(rowOf(encode("a"), [0, 1])), ["empty", "whole"])
})

test("tokens before the window complete its characters and are not drawn", () => {
  const bytes = encode("中")
  const alone = { name: "", space: "", total: 9, counts: { 8: 4 }, special: [] }
  const tokens = written([bytes.subarray(0, 1), bytes.subarray(1)])
  const row = new Row({ ...alone, ...tokens, first: 5, lead: 1, count: 1, ids: [7, 8] })
  assert.equal(row.tokens.length, 1)
  assert.equal(row.token(5)?.number, 6)
  assert.equal(row.token(4), null)
  assert.deepEqual(row.token(5)?.parts.map((part) => part.unit.text), ["中"])
})

test("a token alone", () => {
  assert.deepEqual(partsOf(written([encode("ab")])).map((part) => part.unit.text), ["a", "b"])
})
