// Tokens as bytes and characters. The same facts as in bpe/lens.py; a test holds them together.

const HUES = 6

/** The length of the character, or of the bytes that are none, at `at`: `[length, valid]`.
 *  Bytes that are no character go together as in the Unicode standard's "maximal subparts". */
function characterAt(bytes, at) {
  const lead = bytes[at]
  if (lead < 0x80) return [1, true]
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0
  if (!length) return [1, false]
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i]
    const good = i === 1 ? byte >= low && byte <= high : byte >= 0x80 && byte <= 0xbf
    if (!good) return [i, false]
  }
  return [length, true]
}

/** The character of the `size` bytes at `at`. */
function spell(bytes, at, size) {
  let code = size === 1 ? bytes[at] : bytes[at] & (0x7f >> size)
  for (let i = 1; i < size; i++) code = (code << 6) | (bytes[at + i] & 0x3f)
  return String.fromCodePoint(code)
}

/** A window of one tokenizer's tokens and its characters, by byte offset. */
class Row {
  constructor(data) {
    this.name = data.name
    this.total = data.total // tokens in the whole text
    this.counts = data.counts // id -> how often in the whole text, where that is more than here
    this.ids = data.ids
    this.bytes = Uint8Array.from(atob(data.bytes), (sign) => sign.charCodeAt(0))
    this.first = data.first // index in the whole text of the first token drawn
    this.lead = data.lead // tokens sent before it only to complete its characters
    this.count = data.count // tokens drawn
    this.special = new Set(data.special)
    this.starts = new Uint32Array(data.sizes.length + 1)
    data.sizes.forEach((size, i) => (this.starts[i + 1] = this.starts[i] + size))

    const total = this.bytes.length
    this.tokenOf = new Uint32Array(total) // byte -> token
    this.unitOf = new Uint32Array(total) // byte -> character
    for (let i = 0; i < data.sizes.length; i++) {
      this.tokenOf.fill(i, this.starts[i], this.starts[i + 1])
    }
    this.units = [] // {start, size, text}; text is null where the bytes are no character
    for (let at = 0; at < total; ) {
      const [size, valid] = characterAt(this.bytes, at)
      this.unitOf.fill(this.units.length, at, at + size)
      this.units.push({ start: at, size, text: valid ? spell(this.bytes, at, size) : null })
      at += size
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
class Token {
  constructor(row, i) {
    this.row = row
    this.i = i // among all that were sent
    this.id = row.ids[i]
    this.index = row.first + i - row.lead // in the whole text
    this.start = row.starts[i]
    this.end = row.starts[i + 1]
  }

  get number() {
    return this.index + 1
  }

  get hue() {
    return `hue${this.number % HUES}`
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

const hex = (bytes) =>
  Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ")

const range = (first, last) => (first === last ? `${first}` : `${first}–${last}`)
