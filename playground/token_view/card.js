// One text under several tokenizers as a picture to share: the numbers large, the tokens beside them,
// the address below, in the colours of the page.

/** @import { Row } from "../browser/row.js" */
import { Board, boxed, EDGE, LINE } from "../browser/canvas.js"
import { element } from "../browser/elements.js"
import { number } from "../browser/words.js"

const [WIDTH, HEIGHT] = [1200, 630] // what services that show links have room for
const [HEAD, FOOT, NAMES] = [76, 44, 310]

/** What the picture says, for those who cannot see it. @param {readonly Row[]} rows */
export const saidOf = (rows) => rows.map(({ name, total }) => `${name} ${number(total)}`).join(", ")

/**
 * Save the picture of these rows as a file; return it as an image of the page.
 * @param {readonly Row[]} rows
 * @param {HTMLElement} view whose colours it has
 */
export function saveCard(rows, view) {
  const image = element("img", "card")
  image.alt = saidOf(rows)
  image.src = drawn(rows, view).toDataURL()
  Object.assign(element("a"), { href: image.src, download: "bpe-playground.png" }).click()
  return image
}

/**
 * @param {readonly Row[]} rows
 * @param {HTMLElement} view
 */
function drawn(rows, view) {
  const board = new Board(view, WIDTH, HEIGHT)
  const { canvas, context } = board
  board.clear()
  const tall = (HEIGHT - 2 * EDGE - HEAD - FOOT) / rows.length + EDGE / rows.length
  const lines = Math.max(1, Math.floor(tall / LINE - 0.25))
  rows.forEach((row, at) => {
    const y = EDGE + HEAD + at * tall
    board.font(26)
    context.fillText(row.name, EDGE, y, NAMES - 110)
    board.font(34, 700)
    context.textAlign = "right"
    context.fillText(number(row.total), EDGE + NAMES - 22, y)
    context.textAlign = "left"
    board.flow(row.tokens.map(boxed), EDGE + NAMES, y, lines)
  })
  return canvas
}
