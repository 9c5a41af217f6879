// Symbols as chips. Bytes that are part of a character stand over that character, faint.

import { HUES } from "./row.js"
import { element } from "./elements.js"
import { glyphOf } from "./glyphs.js"
import { characterAt, hex, spell } from "./utf8.js"

/** A symbol on its own, as in the list of pairs or in the vocabulary. */
export function symbolChip(training, id, className = "") {
  const chip = element("span", `chip ${hueOf(training, id)} ${className}`)
  chip.symbol = id
  const spelled = training.spelling[id]
  if (training.bytes) {
    const bytes = spelled
    for (let at = 0; at < bytes.length;) {
      const [size, valid] = characterAt(bytes, at)
      if (valid) chip.append(glyphOf(spell(bytes, at, size)))
      else chip.append(element("span", "hex", hex(bytes.subarray(at, at + size))))
      at += size
    }
  } else drawText(chip, spelled, training.end)
  return chip
}

/** The symbol that covers `start` to `end` (bytes or characters) of a word. */
export function wordChip(word, id, start, end) {
  const { training } = word
  const chip = element("span", `chip ${hueOf(training, id)}`)
  chip.symbol = id
  if (!training.bytes) {
    drawText(chip, training.spelling[id], training.end)
    return chip
  }
  for (const unit of word.characters) {
    if (unit.start + unit.size <= start) continue
    if (unit.start >= end) break
    const first = Math.max(start, unit.start)
    const last = Math.min(end, unit.start + unit.size)
    if (unit.text !== null && last - first === unit.size) chip.append(glyphOf(unit.text))
    else {
      const part = element("span", "part")
      part.append(
        element("span", "hex", hex(training.spelling[id].subarray(first - start, last - start))),
        element("span", "ghost", unit.text === null ? "" : glyphOf(unit.text)),
      )
      chip.append(part)
    }
  }
  return chip
}

function drawText(chip, text, end) {
  const marked = end && text.endsWith(end)
  for (const character of marked ? text.slice(0, -end.length) : text) {
    chip.append(glyphOf(character))
  }
  if (marked) chip.append(element("span", "end", end))
}

export const hueOf = (training, id) => {
  const made = training.madeBy.get(id)
  return made === undefined ? "base" : `hue${made % HUES}`
}
