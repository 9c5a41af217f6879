// UTF-8 taken apart in the browser, where merges make bytes that no server has seen.

/**
 * A character of a text, or bytes that are none: then `text` is null. Start and size in bytes.
 * @typedef {{start: number, size: number, text: string | null}} Unit
 */

const encoder = new TextEncoder()

/**
 * The bytes of a text.
 * @param {string} text
 */
export const encode = (text) => encoder.encode(text)

/**
 * The bytes that Python sent in base64.
 * @param {string} text
 */
export const decoded = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))

/**
 * The characters of bytes, in order, and the bytes that are none. The latter go together as in the
 * Unicode standard's "maximal subparts".
 * @param {Uint8Array} bytes
 * @returns {Unit[]}
 */
export function unitsOf(bytes) {
  const units = []
  for (let at = 0; at < bytes.length;) {
    const [size, valid] = characterAt(bytes, at)
    units.push({ start: at, size, text: valid ? spell(bytes, at, size) : null })
    at += size
  }
  return units
}

/**
 * The length of the character, or of the bytes that are none, at `at`: `[length, valid]`.
 * @param {Uint8Array} bytes
 * @param {number} at
 * @returns {[number, boolean]}
 */
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

/**
 * The character of the `size` bytes at `at`.
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {number} size
 */
function spell(bytes, at, size) {
  let code = size === 1 ? bytes[at] : bytes[at] & (0x7f >> size)
  for (let i = 1; i < size; i++) code = (code << 6) | (bytes[at + i] & 0x3f)
  return String.fromCodePoint(code)
}

/**
 * How many bytes a code point has.
 * @param {number} code
 */
export const sizeOf = (code) => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4)

/**
 * Bytes as hexadecimal numbers with spaces between them.
 * @param {ArrayLike<number>} bytes
 */
export const hex = (bytes) =>
  Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ")
