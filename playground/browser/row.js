// A window of tokens: which bytes of which characters each holds, and so of which kind it is.
//
// Python sends the text of the window, the bytes in it that are no character, and how many bytes
// each token has. The parts and the kind of a token follow from these here, as in
// Segmentation.token of bpe/analysis/segmentation.py, so that hover and keyboard need no answer of
// the server; a test holds the two together.

/** @import { Unit } from "./utf8.js" */
import { HUES } from "./elements.js"
import { encode, hex, sizeOf, unitsOf } from "./utf8.js"

/**
 * The characters of some bytes; `invalid` has the bytes of each that is none, by its number.
 * @typedef {{text: string | string[], invalid: Record<number, number[]>}} Characters
 */
/**
 * A window as Python sends it; what the fields are is said in {@link Row}.
 * @typedef {Characters & {
 *   name: string, space: string, total: number, counts: Record<string, number> | null,
 *   ids: number[], sizes: number[], first: number, lead: number, count: number, special: number[],
 * }} RowData
 */
/**
 * A character that a token touches, with the bytes, from 1, that it holds of it.
 * @typedef {{unit: Unit, first: number, last: number, bytes: Uint8Array, whole: boolean}} Part
 */
/** @typedef {"special" | "empty" | "bytes" | "whole" | "part" | "several" | "mixed"} Kind */

/** A window of one tokenizer's tokens and its characters, by byte offset. */
export class Row {
  /** @param {RowData} data */
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

    const total = this.starts[data.sizes.length]
    this.tokenOf = new Uint32Array(total) // byte -> token
    for (let i = 0; i < data.sizes.length; i++) {
      this.tokenOf.fill(i, this.starts[i], this.starts[i + 1])
    }
    this.bytes = new Uint8Array(total)
    /** @type {Unit[]} */
    this.units = []
    this.unitOf = new Uint32Array(total) // byte -> unit
    const characters = [...data.text] // of a text, or listed already
    const encoded = encode(characters.join(""))
    let start = 0
    let read = 0
    for (const text of characters) {
      const unit = this.units.length
      const invalid = data.invalid[unit]
      const length = sizeOf(text.codePointAt(0) ?? 0)
      const bytes = invalid ?? encoded.subarray(read, read + length)
      read += length
      this.bytes.set(bytes, start)
      this.unitOf.fill(unit, start, start + bytes.length)
      this.units.push({ start, size: bytes.length, text: invalid ? null : text })
      start += bytes.length
    }
    /** @type {Token[]} those that are drawn */
    this.tokens = []
    /** @type {Map<number, Token[]>} id -> its tokens */
    this.places = new Map()
    for (let i = this.lead; i < this.lead + this.count; i++) {
      const token = new Token(this, i)
      this.tokens.push(token)
      const places = this.places.get(token.id)
      if (places) places.push(token)
      else this.places.set(token.id, [token])
    }
  }

  /**
   * The token at `index` of the whole text, or null where it is not drawn.
   * @param {number} index
   */
  token(index) {
    return this.tokens[index - this.first] ?? null
  }
}

/** One token at one place. */
export class Token {
  /** Its hue, where neighbours of an edit keep theirs. @type {number | null} */
  given = null
  /** Its element, once it is drawn. @type {HTMLElement | null} */
  node = null
  /** The one in the list of ids. @type {HTMLElement | null} */
  item = null
  /** The block that it stands in, side by side with others. @type {HTMLElement | null} */
  block = null

  /**
   * @param {Row} row
   * @param {number} i among all that were sent
   */
  constructor(row, i) {
    this.row = row
    this.i = i
    this.id = row.ids[i]
    this.index = row.first + i - row.lead // in the whole text
    this.start = row.starts[i]
    this.end = row.starts[i + 1]
  }

  get number() {
    return this.index + 1
  }

  get hue() {
    return `hue${this.given ?? this.number % HUES}`
  }

  /**
   * Give it another hue than its number asks for.
   * @param {number} hue
   */
  dye(hue) {
    const before = this.hue
    this.given = hue
    if (this.hue !== before) this.node?.classList.replace(before, this.hue)
  }

  get hex() {
    return hex(this.row.bytes.subarray(this.start, this.end))
  }

  /** The characters that it touches. */
  get parts() {
    const { row, start, end } = this
    /** @type {Part[]} */
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

  /**
   * @param {readonly Part[]} parts
   * @returns {Kind}
   */
  kind(parts) {
    if (this.row.special.has(this.i)) return "special"
    if (!parts.length) return "empty"
    if (parts.every((part) => part.unit.text === null)) return "bytes"
    if (parts.length === 1) return parts[0].whole ? "whole" : "part"
    return parts.every((part) => part.whole) ? "several" : "mixed"
  }
}

/**
 * The parts of a token that stands alone.
 * @param {Characters & {sizes: number[]}} characters
 */
export const partsOf = (characters) => {
  const alone = { name: "", space: "", total: 1, counts: null, first: 0, lead: 0, count: 1 }
  return new Row({ ...alone, ...characters, ids: [0], special: [] }).tokens[0].parts
}

/**
 * What a row needs to know of the bytes of tokens.
 * @param {readonly Uint8Array[]} tokens
 * @returns {Characters & {sizes: number[]}}
 */
export function written(tokens) {
  const bytes = joined(tokens)
  /** @type {string[]} */
  const text = []
  /** @type {Record<number, number[]>} */
  const invalid = {}
  for (const unit of unitsOf(bytes)) {
    if (unit.text === null) {
      invalid[text.length] = Array.from(bytes.subarray(unit.start, unit.start + unit.size))
    }
    text.push(unit.text ?? "\ufffd")
  }
  return { text, invalid, sizes: tokens.map((token) => token.length) }
}

/** @param {readonly Uint8Array[]} parts */
export function joined(parts) {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let end = 0
  for (const part of parts) {
    bytes.set(part, end)
    end += part.length
  }
  return bytes
}
