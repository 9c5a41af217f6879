// The text while it is edited: the same place, the same colours. Tokens that spell the text, white
// space aside, colour it as it is typed; others leave it plain.

/** @import { Row } from "../../browser/row.js" */
import { element } from "../../browser/elements.js"
import { encode } from "../../browser/utf8.js"
import { cellsOf, uncoloured } from "../../editor/cells.js"
import { Paint } from "../../editor/paint.js"

const SPACES = new Set(encode(" \n\t\r"))

export class Desk {
  constructor() {
    this.node = element("div", "editor desk")
    this.node.hidden = true
    const frame = element("div", "frame")
    const sheet = element("div", "sheet")
    const [layer, paper] = [element("div", "layer"), element("div", "paper")]
    for (const unseen of [layer, paper]) unseen.setAttribute("aria-hidden", "true")
    this.area = element("textarea")
    this.area.spellcheck = false
    this.paint = new Paint(layer, paper, frame)
    this.area.addEventListener("input", () => this.edited())
    sheet.append(paper, layer, this.area)
    frame.append(sheet)
    this.node.append(frame)
  }

  /** @param {string} text */
  write(text) {
    this.area.value = text
    this.edited()
  }

  edited() {
    this.paint.edit(this.area.value)
    this.draw()
  }

  draw() {
    if (!this.node.hidden) requestAnimationFrame(() => this.paint.draw())
  }

  /**
   * Colour a text that Python has cut; the reader may have typed on since.
   * @param {string} text
   * @param {Row} row its tokens
   * @param {string} end what is written at the end of a word, and not in the text
   */
  colour(text, row, end) {
    const { starts } = row
    const tokens = row.tokens.map((_, at) => row.bytes.subarray(starts[at], starts[at + 1]))
    const bytes = encode(text)
    const sizes = sizesIn(bytes, tokens, encode(end))
    const cells = sizes ? cellsOf(text, sizes) : uncoloured(text)
    // Of a long text only the beginning is cut.
    const cut = sizes?.reduce((sum, size) => sum + size, 0) ?? 0
    if (sizes && cut < bytes.length) cells.tokens[cells.tokens.length - 1] = 0
    this.paint.answer(text, cells)
    this.draw()
  }
}

/**
 * How many bytes of a text each token has, with the white space before it that is in no token; null
 * where the tokens spell another text.
 * @param {Uint8Array} text
 * @param {readonly Uint8Array[]} tokens
 * @param {Uint8Array} end what is written at the end of a word
 */
export function sizesIn(text, tokens, end) {
  const sizes = []
  let at = 0
  for (const spelled of tokens) {
    const isLast = end.length && end.every((byte, n) => spelled.at(n - end.length) === byte)
    const token = isLast ? spelled.subarray(0, -end.length) : spelled
    let start = at
    const stands = () => token.every((byte, n) => text[start + n] === byte)
    while (!stands() && SPACES.has(text[start])) start++
    if (!stands()) return null
    sizes.push(start + token.length - at)
    at = start + token.length
  }
  return sizes
}
