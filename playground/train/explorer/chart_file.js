// A chart as the content of a file: its picture on its own, or its numbers.

/** @import { Drawn } from "../../browser/saving.js" */
import { svg } from "../../browser/elements.js"

const TITLE = 20 // px above the chart: a line for the title, one for each name
/** @typedef {{name: string, values: (number | null)[], className: string}} Series */
/**
 * A chart as it is drawn; `node` holds the names of the series, too.
 * @typedef {{drawing: SVGSVGElement, series: readonly Series[], node: Element, width: number}} Shown
 */

const LOOKS = ["fill", "stroke", "stroke-width", "font-size", "font-family"]

/**
 * A row for each step, after the mark by which spreadsheets know UTF-8.
 * @param {string} merges what the first column is called
 * @param {readonly number[]} steps
 * @param {readonly Series[]} series
 */
export function asCsv(merges, steps, series) {
  const head = [merges, ...series.map(({ name }) => name)]
  const rows = steps.map((done, n) => [done, ...series.map(({ values }) => values[n] ?? "")])
  return "\ufeff" + [head, ...rows].map((row) => `${row.join(",")}\n`).join("")
}

/**
 * The chart with title and names, and its colours written into it.
 * @param {Shown} chart
 * @param {string} title
 * @returns {Drawn}
 */
export function asPicture(chart, title) {
  const { drawing, series, node, width } = chart
  const style = getComputedStyle(node)
  const named = series.filter(({ name }) => name && series.length > 1)
  const above = TITLE * (1 + named.length)
  const height = drawing.viewBox.baseVal.height + above
  const font = { "font-family": style.fontFamily, fill: plainColour(style.color) }
  const whole = svg("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
  })
  const ground = plainColour(style.getPropertyValue("--st-background-color").trim() || "white")
  const heading = { ...font, x: 4, y: 14, "font-size": 13, "font-weight": 600 }
  whole.append(svg("rect", { width, height, fill: ground }), svg("text", heading, title))
  named.forEach(({ name, className }, n) => {
    const y = TITLE * (n + 1)
    const swatch = node.querySelector(`.swatch.${className}`)
    const fill = swatch ? plainColour(getComputedStyle(swatch).backgroundColor) : "none"
    const label = { ...font, x: 20, y: y + 13, "font-size": 12, "font-weight": 400 }
    whole.append(
      svg("rect", { x: 4, y: y + 4, width: 10, height: 10, fill }),
      svg("text", label, name),
    )
  })
  const below = svg("g", { transform: `translate(0 ${above})` })
  below.append(...withLooks(drawing).childNodes)
  whole.append(below)
  return { width, height, text: new XMLSerializer().serializeToString(whole) }
}

/**
 * A copy of a drawing that looks the same without a style sheet.
 * @param {SVGElement} drawing
 */
function withLooks(drawing) {
  const copy = /** @type {SVGElement} */ (drawing.cloneNode(true))
  const parts = [...copy.querySelectorAll("*")]
  ;[...drawing.querySelectorAll("*")].forEach((part, n) => {
    const style = getComputedStyle(part)
    for (const look of LOOKS) {
      parts[n].setAttribute(look, plainColour(style.getPropertyValue(look)))
    }
  })
  return copy
}

/**
 * A colour as every program reads it; other values as they are.
 * @param {string} value
 */
function plainColour(value) {
  if (!/^(color|ok|lab|lch|rgba)/.test(value)) return value
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 })
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"))
  context.fillStyle = value
  context.fillRect(0, 0, 1, 1)
  const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data
  return alpha ? `rgb(${red}, ${green}, ${blue})` : "none"
}
