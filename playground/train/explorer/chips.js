// A symbol as a chip, and a list of such under a title.

import { element } from "../../browser/elements.js"
import { drawParts } from "../../browser/glyphs.js"
import { partsOf, written } from "../../browser/row.js"
import { MOST_CHARACTERS } from "../../browser/speech.js"
import { number } from "../../browser/words.js"

/**
 * A symbol as a chip, with how often it occurs.
 * @param {Uint8Array} bytes
 * @param {number} [occurs]
 */
export function chipOf(bytes, occurs) {
  const chip = element("span", "piece")
  drawParts(chip, partsOf(written([bytes])).slice(0, MOST_CHARACTERS), true)
  if (occurs !== undefined) chip.append(element("span", "small quiet", `×${number(occurs)}`))
  return chip
}
