// A symbol as a chip, and a list of such under a title.

/** @import { Model } from "./model.js" */
import { element } from "../../browser/elements.js"
import { drawParts } from "../../browser/glyphs.js"
import { partsOf, written } from "../../browser/row.js"
import { MOST_CHARACTERS } from "../../browser/speech.js"
import { number } from "../../browser/words.js"

/** What a piece inside a word begins with. */
export const INSIDE = "##"

/**
 * A symbol as a chip, with how often it occurs.
 * @param {Model} model
 * @param {number} id
 * @param {number} [occurs]
 */
export function chipOf(model, id, occurs) {
  const chip = element("span", "piece")
  if (model.inside.has(id)) chip.dataset.inside = INSIDE
  drawParts(chip, partsOf(written([model.spelled[id]])).slice(0, MOST_CHARACTERS), true)
  if (occurs !== undefined) chip.append(element("span", "small quiet", `×${number(occurs)}`))
  return chip
}
