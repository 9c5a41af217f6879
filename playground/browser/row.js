// A window of tokens: which bytes of which characters each holds, and so of which kind it is.
//
// Python sends the text of the window, the bytes in it that are no character, and how many bytes
// each token has. The parts and the kind of a token follow from these here, as in
// Segmentation.token of bpe/analysis/segmentation.py, so that hover and keyboard need no answer of
// the server; a test holds the two together.

import { encode, hex } from "./utf8.js"

export const HUES = 6

/** A window of one tokenizer's tokens and its characters, by byte offset. */
export class Row {
  constructor(data) {
    this.name = data.name
    this.space = data.space // what the tokenizer writes for a space, if not one
    this.total = data.total // tokens in the whole text
    this.counts = data.counts // id -> how often in the whole text, where that is more than here
    this.ids = data.ids
    this.first = data.first // index in the whole text of the first token drawn
    this.lead = data.lead // tokens sent before it only to complete its characters
    this.count = data.count // tokens drawn
    this.special = new Set(data.special)
    this.starts = new Uint32Array(data.sizes.length + 1)
    data.sizes.forEach((size, i) => (this.starts[i + 1] = this.starts[i] + size))

    const total = this.starts.at(-1)
    this.tokenOf = new Uint32Array(total) // byte -> token
    for (let i = 0; i < data.sizes.length; i++) {
      this.tokenOf.fill(i, this.starts[i], this.starts[i + 1])
    }
    this.bytes = new Uint8Array(total)
    this.units = [] // {start, size, text}; text is null where the bytes are no character
    this.unitOf = new Uint32Array(total) // byte -> unit
    const characters = [...data.text] // of a text, or listed already
    const encoded = encode(characters.join(""))
    let start = 0
    let read = 0
    for (const text of characters) {
      const unit = this.units.length
      const invalid = data.invalid[unit]
      const code = text.codePointAt(0)
      const length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
      const bytes = invalid ?? encoded.subarray(read, read + length)
      read += length
      this.bytes.set(bytes, start)
      this.unitOf.fill(unit, start, start + bytes.length)
      this.units.push({ start, size: bytes.length, text: invalid ? null : text })
      start += bytes.length
    }
    this.tokens = [] // those that are drawn
    this.places = new Map() // id -> its tokens
    for (let i = this.lead; i < this.lead + this.count; i++) {
      const token = new Token(this, i)
      this.tokens.push(token)
      if (this.places.has(token.id)) this.places.get(token.id).push(token)
      else this.places.set(token.id, [token])
    }
  }

  /** The token at `index` of the whole text, or null where it is not drawn. */
  token(index) {
    return this.tokens[index - this.first] ?? null
  }
}

/** One token at one place; `node` is its element and `item` the one in the list of ids. */
export class Token {
  constructor(row, i) {
    this.row = row
    this.i = i // among all that were sent
    this.id = row.ids[i]
    this.index = row.first + i - row.lead // in the whole text
    this.start = row.starts[i]
    this.end = row.starts[i + 1]
    this.given = null // the hue, where neighbours of an edit keep theirs
    this.node = null
  }

  get number() {
    return this.index + 1
  }

  get hue() {
    return `hue${this.given ?? this.number % HUES}`
  }

  /** Take over the element of the token that stood for the same before an edit. */
  follow(old) {
    this.node = old.node
    this.node.token = this
    this.block = old.block
    this.given = old.given
  }

  /** Give it another hue than its number asks for. */
  dye(hue) {
    const before = this.hue
    this.given = hue
    if (this.hue !== before) this.node?.classList.replace(before, this.hue)
  }

  get hex() {
    return hex(this.row.bytes.subarray(this.start, this.end))
  }

  /** The characters that it touches, with the bytes (from 1) that it holds of each. */
  get parts() {
    const { row, start, end } = this
    const parts = []
    if (start === end) return parts
    for (let u = row.unitOf[start]; u <= row.unitOf[end - 1]; u++) {
      const unit = row.units[u]
      const first = Math.max(start, unit.start) - unit.start + 1
      const last = Math.min(end, unit.start + unit.size) - unit.start
      const bytes = row.bytes.subarray(unit.start + first - 1, unit.start + last)
      const whole = unit.text !== null && bytes.length === unit.size
      parts.push({ unit, first, last, bytes, whole })
    }
    return parts
  }

  kind(parts) {
    if (this.row.special.has(this.i)) return "special"
    if (!parts.length) return "empty"
    if (parts.every((part) => part.unit.text === null)) return "bytes"
    if (parts.length === 1) return parts[0].whole ? "whole" : "part"
    return parts.every((part) => part.whole) ? "several" : "mixed"
  }
}
