// Symbols as chips. Bytes that are part of a character stand over that character, faint.

/** @import { Training, Word } from "./training.js" */
import { element, HUES, Meanings } from "./elements.js"
import { drawBytes, glyphOf } from "./glyphs.js"
import { hex, unitsOf } from "./utf8.js"

/** The symbol that a chip stands for. @type {Meanings<number>} */
export const symbols = new Meanings()

/**
 * A symbol on its own, as in the list of pairs or in the vocabulary.
 * @param {Training} training
 * @param {number} id
 * @param {string} [className]
 */
export function symbolChip(training, id, className = "") {
  const chip = chipOf(training, id, className)
  const spelled = training.spelling[id]
  if (typeof spelled === "string") drawText(chip, spelled, training.end)
  else {
    for (const { start, size, text } of unitsOf(spelled)) {
      if (text !== null) chip.append(glyphOf(text))
      else chip.append(element("span", "hex", hex(spelled.subarray(start, start + size))))
    }
  }
  return chip
}

/**
 * The symbol that covers a word from `start` on, in bytes or characters.
 * @param {Word} word
 * @param {number} id
 * @param {number} start
 */
export function wordChip(word, id, start) {
  const { training } = word
  const chip = chipOf(training, id)
  const spelled = training.spelling[id]
  if (typeof spelled === "string") drawText(chip, spelled, training.end)
  else drawBytes(chip, word.bytes, word.units, start, start + spelled.length)
  return chip
}

/**
 * @param {Training} training
 * @param {number} id
 * @param {string} [className]
 */
function chipOf(training, id, className = "") {
  const made = training.madeBy.get(id)
  const hue = made === undefined ? "base" : `hue${made % HUES}`
  const chip = element("span", `chip ${hue} ${className}`)
  symbols.set(chip, id)
  return chip
}

/**
 * @param {Element} chip
 * @param {string} text
 * @param {string} end the mark of the end of a word
 */
function drawText(chip, text, end) {
  const marked = end && text.endsWith(end)
  for (const character of marked ? text.slice(0, -end.length) : text) {
    chip.append(glyphOf(character))
  }
  if (marked) chip.append(element("span", "end", end))
}
