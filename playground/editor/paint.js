// The coloured paper under the text: a box for each line of a cell, drawn where one looks. Where a
// cell lies is asked of ranges in the unseen letters.

/** @import { Cut } from "./cells.js" */
/** @import { Block } from "./layer.js" */
import { HUES } from "../browser/elements.js"
import { Cells, difference } from "./cells.js"
import { Layer } from "./layer.js"

const MARGIN = 200 // px beyond the window that are coloured, too

/** A line of a cell on the screen, and where its text begins and ends. @typedef {{cell: number, where: DOMRect, text: [number, number]}} Seen */

export class Paint {
  text = ""
  cells = new Cells()
  /** @type {HTMLElement[]} those beyond `drawn` are spare, until tidy() is called */
  boxes = []
  drawn = 0

  /**
   * @param {HTMLElement} layer
   * @param {HTMLElement} paper
   * @param {HTMLElement} frame
   */
  constructor(layer, paper, frame) {
    this.layer = new Layer(layer)
    this.paper = paper
    this.frame = frame
  }

  /**
   * Follow an edit before the server has answered.
   * @param {string} text
   */
  edit(text) {
    const change = difference(this.text, text)
    this.text = text
    if (!change.removed && !change.inserted) return
    this.layer.write(text, change)
    this.cells.edit(change)
  }

  /**
   * Colour the text by the server's answer, which may be to an earlier text.
   * @param {string} text
   * @param {Cut} cells
   */
  answer(text, cells) {
    this.cells.answer(cells)
    if (text !== this.text) this.cells.edit(difference(text, this.text))
  }

  tidy() {
    this.layer.tidy()
    for (const box of this.boxes.splice(this.drawn)) box.remove()
  }

  /** Draw the boxes of all cells near the window. */
  draw() {
    const seen = this.#seen()
    const origin = this.layer.node.getBoundingClientRect()
    // All places are known before anything is changed: the window is laid out once.
    seen.forEach(({ cell, where, text }, n) => {
      const box = (this.boxes[n] ??= this.paper.appendChild(document.createElement("i")))
      const tokens = this.cells.all.tokens[cell]
      const hue = this.cells.all.hue[cell]
      box.className = `cell hue${hue}${tokens > 1 ? " shared" : ""}`
      box.style.backgroundImage = tokens > 1 ? stripes(hue, tokens) : ""
      box.style.transform = `translate(${where.left - origin.left}px, ${where.top - origin.top}px)`
      box.style.width = `${where.width}px`
      box.style.height = `${where.height}px`
      box.dataset.at = String(text[0])
      box.dataset.text = this.text.slice(...text)
    })
    for (let n = seen.length; n < this.drawn; n++) this.boxes[n].className = "spare"
    this.drawn = seen.length
  }

  /** What is near the window, line by line. */
  #seen() {
    const { length, tokens } = this.cells.all
    const frame = this.frame.getBoundingClientRect()
    const top = frame.top - MARGIN
    const bottom = frame.bottom + MARGIN
    const range = document.createRange()
    /** @type {Seen[]} */
    const seen = []
    let cell = 0
    let before = 0 // characters before the block
    let offset = 0 // characters before the cell
    const skip = (/** @type {number} */ until) => {
      while (cell < length.length && offset + length[cell] <= until) offset += length[cell++]
    }
    for (const block of this.layer.blocks) {
      const end = before + block.size
      const rect = block.node.getBoundingClientRect()
      if (rect.bottom < top || rect.top > bottom) {
        before = end
        if (rect.top > bottom) break
        continue
      }
      skip(before)
      // In a block of one long line the window may begin anywhere.
      const isLong = rect.bottom - rect.top > 4 * (bottom - top)
      if (isLong) skip(firstBelow(range, block, before, top))
      while (cell < length.length && offset < end) {
        const until = offset + length[cell]
        if (tokens[cell]) {
          const from = Math.max(offset, before)
          const lines = [...rectsOf(range, block, from - before, Math.min(until, end) - before)]
            .filter(({ width }) => width)
          for (const where of lines) seen.push({ cell, where, text: [offset, until] })
          if (lines.length && lines[lines.length - 1].top > bottom) break
        }
        if (until > end) break // the rest of the cell is in the next block
        offset = until
        cell++
      }
      before = end
    }
    return seen
  }
}

/**
 * @param {Range} range to be used for it
 * @param {Block} block
 * @param {number} from
 * @param {number} until
 */
function rectsOf(range, { letters }, from, until) {
  range.setStart(letters, from)
  range.setEnd(letters, until)
  return range.getClientRects()
}

/**
 * The first character of a block that is not above `top`.
 * @param {Range} range
 * @param {Block} block
 * @param {number} before characters before the block
 * @param {number} top
 */
function firstBelow(range, block, before, top) {
  let low = 0
  let high = block.size - 1
  while (low < high) {
    const middle = (low + high) >> 1
    const [where] = rectsOf(range, block, middle, middle + 1)
    if (where && where.bottom < top) low = middle + 1
    else high = middle
  }
  return before + low
}

/**
 * The hues of several tokens side by side in one character.
 * @param {number} hue
 * @param {number} tokens
 */
function stripes(hue, tokens) {
  const stops = []
  for (let n = 0; n < tokens; n++) {
    const colour = `var(--paper${(hue + n) % HUES})`
    const edge = ((n + 1) / tokens) * 100
    stops.push(`${colour} ${(n / tokens) * 100}%`, `${colour} calc(${edge}% - 1px)`)
    if (n < tokens - 1) stops.push(`var(--edge) calc(${edge}% - 1px)`, `var(--edge) ${edge}%`)
  }
  return `linear-gradient(to right, ${stops.join(", ")})`
}
