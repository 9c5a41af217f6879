// One text under several tokenizers as a picture to share: the numbers large, the tokens beside them,
// the address below, in the colours of the page.

/** @import { Row, Token } from "../browser/row.js" */
import { element, HUES } from "../browser/elements.js"
import { glyphOf } from "../browser/glyphs.js"
import { number, range } from "../browser/words.js"

const [WIDTH, HEIGHT] = [1200, 630] // what services that show links have room for
const [EDGE, HEAD, FOOT, NAMES, LINE] = [56, 76, 44, 310, 46]

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
  const canvas = Object.assign(element("canvas"), { width: WIDTH, height: HEIGHT })
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"))
  const style = getComputedStyle(view)
  const hues = Array.from({ length: HUES }, (_, at) => colourOf(view, `token hue${at}`))
  const font = (/** @type {number} */ size, weight = 400) =>
    context.font = `${weight} ${size}px ${style.fontFamily}`
  context.textBaseline = "middle"
  context.fillStyle = style.getPropertyValue("--st-background-color")
  context.fillRect(0, 0, WIDTH, HEIGHT)

  /** A token with its middle at a height; where it ends. */
  const box = (
    /** @type {string} */ text,
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {string} */ colour,
  ) => {
    const width = context.measureText(text).width + 12
    context.fillStyle = colour
    context.beginPath()
    context.roundRect(x, y - LINE / 2 + 3, width, LINE - 6, 5)
    context.fill()
    context.fillStyle = style.color
    context.fillText(text, x + 6, y)
    return x + width + 3
  }

  font(26, 600)
  box("Playground", box("BPE", EDGE, EDGE, hues[1]) - 2, EDGE, hues[0])
  const tall = (HEIGHT - 2 * EDGE - HEAD - FOOT) / rows.length + EDGE / rows.length
  const lines = Math.max(1, Math.floor(tall / LINE - 0.25))
  rows.forEach((row, at) => {
    let [x, y, line] = [EDGE + NAMES, EDGE + HEAD + at * tall, 1]
    font(26)
    context.fillText(row.name, EDGE, y, NAMES - 110)
    font(34, 700)
    context.textAlign = "right"
    context.fillText(number(row.total), EDGE + NAMES - 22, y)
    context.textAlign = "left"
    for (const token of row.tokens) {
      const { text, whole } = labelOf(token)
      font(whole ? 25 : 17)
      if (x + context.measureText(text).width + 12 > WIDTH - EDGE) {
        if (line === lines) return context.fillText("…", x, y)
        line += 1
        x = EDGE + NAMES
        y += LINE
      }
      x = box(text, x, y, hues[Number(token.hue.slice(3))])
    }
  })
  font(22)
  context.fillText(location.host + location.pathname, EDGE, HEIGHT - EDGE)
  return canvas
}

/**
 * What stands in a token: its characters, and of those that it holds in part which bytes.
 * @param {Token} token
 */
function labelOf({ parts }) {
  const text = parts.map(({ unit, first, last, whole }) =>
    whole && unit.text !== null
      ? glyphOf(unit.text)
      : `${range(first, last)}/${unit.size}${unit.text ?? ""}`
  ).join("")
  return { text, whole: parts.every(({ whole }) => whole) }
}

/**
 * The ground that an element of a class has in a view.
 * @param {HTMLElement} view
 * @param {string} className
 */
function colourOf(view, className) {
  const probe = element("span", className)
  view.append(probe)
  const colour = getComputedStyle(probe).backgroundColor
  probe.remove()
  return colour
}
