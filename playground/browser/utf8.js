// UTF-8 taken apart in the browser, where merges make bytes that no server has seen.

const encoder = new TextEncoder()

/** The bytes of a text. */
export const encode = (text) => encoder.encode(text)

/** The length of the character, or of the bytes that are none, at `at`: `[length, valid]`.
 *  Bytes that are no character go together as in the Unicode standard's "maximal subparts". */
export function characterAt(bytes, at) {
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
export function spell(bytes, at, size) {
  let code = size === 1 ? bytes[at] : bytes[at] & (0x7f >> size)
  for (let i = 1; i < size; i++) code = (code << 6) | (bytes[at + i] & 0x3f)
  return String.fromCodePoint(code)
}

/** Bytes as hexadecimal numbers with spaces between them. */
export const hex = (bytes) =>
  Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ")
