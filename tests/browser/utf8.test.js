// UTF-8 taken apart: every table is from the Unicode standard, not from our own output.

import assert from "node:assert/strict"
import { test } from "node:test"
import { encode, hex, sizeOf, unitsOf } from "../../playground/browser/utf8.js"

/** @param {string} bytes in hexadecimal */
const bytesOf = (bytes) => Uint8Array.from(bytes.split(" "), (byte) => parseInt(byte, 16))

test("characters of one to four bytes are whole", () => {
  const text = "aé中😀"
  const units = unitsOf(encode(text))
  assert.deepEqual(units.map((unit) => unit.text), [...text])
  assert.deepEqual(units.map((unit) => unit.size), [1, 2, 3, 4])
  assert.deepEqual(units.map((unit) => unit.start), [0, 1, 3, 6])
})

// Table 3-8 to 3-11 of the Unicode standard: the maximal subparts of ill-formed sequences.
for (
  const [bytes, sizes] of /** @type {[string, number[]][]} */ ([
    ["c0 af e0 80 bf f0 81 82 41", [1, 1, 1, 1, 1, 1, 1, 1, 1]],
    ["ed a0 80 ed bf bf ed af 41", [1, 1, 1, 1, 1, 1, 1, 1, 1]],
    ["f4 91 92 93 ff 41 80 bf 42", [1, 1, 1, 1, 1, 1, 1, 1, 1]],
    ["e1 80 e2 f0 91 92 f1 bf 41", [2, 1, 3, 2, 1]],
  ])
) {
  test(`the parts of ${bytes}`, () => {
    const units = unitsOf(bytesOf(bytes))
    assert.deepEqual(units.map((unit) => unit.size), sizes)
    const replaced = units.map((unit) => unit.text ?? "\ufffd").join("")
    assert.equal(replaced, new TextDecoder().decode(bytesOf(bytes)))
  })
}

test("a character cut short at the end is one part", () => {
  assert.deepEqual(unitsOf(bytesOf("e4 b8")), [{ start: 0, size: 2, text: null }])
})

test("bytes in hexadecimal", () => {
  assert.equal(hex(encode("中\n")), "E4 B8 AD 0A")
  assert.equal(hex([]), "")
})

test("the bytes of a code point", () => {
  for (const character of ["a", "é", "中", "😀"]) {
    assert.equal(sizeOf(character.codePointAt(0) ?? 0), encode(character).length)
  }
})
