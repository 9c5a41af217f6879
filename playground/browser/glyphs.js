// How characters are drawn: spaces, controls, parts of a character. Text reaches the page through
// textContent and append alone, never as HTML.

/** @import { Part } from "./row.js" */
/** @import { Unit } from "./utf8.js" */
import { element } from "./elements.js"
import { hex } from "./utf8.js"
import { range } from "./words.js"

const SPACES = new Map([
  [" ", "·"],
  ["\t", "→"],
  ["\n", "⏎"],
  ["\u00a0", "⍽"],
  ["\u3000", "□"],
])
// Controls, format characters (a bidi override would turn the page around), odd spaces, private and
// unassigned code points: drawn as their number.
const UNSEEN = /^[\p{Cc}\p{Cf}\p{Z}\p{Co}\p{Cn}]$/u
const MARK = /^\p{M}$/u
const JOINER = /^[\u200d\ufe0f\u{e0020}-\u{e007f}]$/u // what holds an emoji together

/**
 * The number of a character: "U+4E2D".
 * @param {string} text
 */
export const codePoint = (text) =>
  "U+" + (text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")

/**
 * A character that has no shape of its own: a control as its byte, others by their number.
 * @param {string} text
 */
const numberOf = (text) => (text < "\x80" ? hex([text.charCodeAt(0)]) : codePoint(text))

/**
 * One character as a short readable glyph, for labels and cells.
 * @param {string} text
 */
export function glyphOf(text) {
  const space = SPACES.get(text)
  if (space) return space
  if (UNSEEN.test(text) || JOINER.test(text)) return numberOf(text)
  return MARK.test(text) ? "◌" + text : text
}

/**
 * Append the characters from byte `start` to byte `end`; of those that reach beyond, the bytes over
 * the character, faint.
 * @param {Element} into
 * @param {Uint8Array} bytes
 * @param {readonly Unit[]} units those of all the bytes
 * @param {number} [start]
 * @param {number} [end]
 */
export function drawBytes(into, bytes, units, start = 0, end = bytes.length) {
  for (const unit of units) {
    if (unit.start + unit.size <= start) continue
    if (unit.start >= end) break
    const first = Math.max(start, unit.start)
    const last = Math.min(end, unit.start + unit.size)
    if (unit.text !== null && last - first === unit.size) {
      into.append(glyphOf(unit.text))
      continue
    }
    const part = element("span", "part")
    part.append(
      element("span", "hex", hex(bytes.subarray(first, last))),
      element("span", "ghost", unit.text === null ? "" : glyphOf(unit.text)),
    )
    into.append(part)
  }
}

/**
 * Append the characters of a token to its element; in one line, a break is its glyph alone.
 * @param {Element} into
 * @param {readonly Part[]} parts
 * @param {boolean} [oneLine]
 * @param {string} [sign] what the tokenizer itself writes for a space
 */
export function drawParts(into, parts, oneLine = false, sign = "") {
  let plain = ""
  const flush = () => {
    if (plain) into.append(plain)
    plain = ""
  }
  parts.forEach((part, n) => {
    const { text } = part.unit
    if (text === null) {
      flush()
      into.append(element("span", "control", hex(part.bytes)))
    } else if (!part.whole) {
      flush()
      const mark = element("span", "part")
      mark.append(
        element("span", "fraction", `${range(part.first, part.last)}/${part.unit.size}`),
        element("span", "glyph", glyphOf(text)),
      )
      into.append(mark)
    } else if (SPACES.has(text)) {
      flush()
      const space = element("span", "space", oneLine && text === "\n" ? "" : text)
      space.dataset.glyph = text === " " && sign ? sign : glyphOf(text)
      if (text === " " && sign.length > 1) space.classList.add("word-end")
      into.append(space)
    } else if (JOINER.test(text) && n > 0 && (n < parts.length - 1 || text === "\ufe0f")) {
      plain += text
    } else if (UNSEEN.test(text) || JOINER.test(text)) {
      flush()
      into.append(element("span", "control", numberOf(text)))
    } else {
      plain += n === 0 && MARK.test(text) ? "◌" + text : text
    }
  })
  flush()
}
