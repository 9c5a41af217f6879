// A menu of two kinds of files under a chart. The picture is the SVG that Vega has drawn, with the colour of the
// page behind it; a PNG is that picture at twice its size.

/** @import { Drawing } from "../../browser/elements.js" */
/** @import { Drawn } from "../../browser/saving.js" */
import { svg } from "../../browser/elements.js"
import { menu, save } from "../../browser/saving.js"

const EDGE = 8

/**
 * The text of a chart, and what the menu and each kind of file are called.
 * @typedef {{chart: string, labels: Record<string, string>}} Data
 */

/** @param {Drawing<Data>} drawing */
export default function ({ data, parentElement }) {
  const host = parentElement instanceof ShadowRoot ? parentElement.host : parentElement
  const box = menu(data.labels, data.chart, (kind) => {
    const chart = chartAbove(data.chart, host)
    if (!chart) return
    const colour = getComputedStyle(host).getPropertyValue("--st-background-color") || "white"
    return save(kind, data.chart, pictureOf(chart, colour.trim()))
  }, ["PNG", "SVG"])
  parentElement.querySelector("details")?.remove()
  parentElement.append(box)
}

/**
 * Find the chart with this text that stands last before the links.
 * @param {string} text
 * @param {Element} links
 */
function chartAbove(text, links) {
  const above = [...document.querySelectorAll('[data-testid="stVegaLiteChart"]')].filter(
    (chart) =>
      chart.getAttribute("aria-label") === text &&
      chart.compareDocumentPosition(links) & Node.DOCUMENT_POSITION_FOLLOWING,
  )
  return above.at(-1)?.querySelector("svg")
}

/**
 * @param {SVGSVGElement} chart
 * @param {string} colour
 * @returns {Drawn}
 */
function pictureOf(chart, colour) {
  // What is drawn may reach beyond the frame, as labels do on a phone.
  const { x, y, width: across, height: down } = chart.getBBox()
  const frame = chart.viewBox.baseVal
  const [left, top] = [Math.min(x, frame.x) - EDGE, Math.min(y, frame.y) - EDGE]
  const width = Math.ceil(Math.max(x + across, frame.x + frame.width) + EDGE - left)
  const height = Math.ceil(Math.max(y + down, frame.y + frame.height) + EDGE - top)
  const copy = /** @type {SVGSVGElement} */ (chart.cloneNode(true))
  settleColours(copy, chart)
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg")
  copy.setAttribute("viewBox", `${left} ${top} ${width} ${height}`)
  copy.setAttribute("width", String(width))
  copy.setAttribute("height", String(height))
  copy.removeAttribute("style")
  copy.prepend(svg("rect", { x: left, y: top, width, height, fill: colour }))
  return { width, height, text: new XMLSerializer().serializeToString(copy) }
}

/**
 * Write the colours that depend on the theme as they are now: few programs know `light-dark`.
 * @param {Element} copy
 * @param {Element} chart
 */
function settleColours(copy, chart) {
  const shown = [...chart.querySelectorAll("*")]
  ;[...copy.querySelectorAll("*")].forEach((part, at) => {
    for (const name of ["fill", "stroke"]) {
      if (!part.getAttribute(name)?.startsWith("light-dark")) continue
      part.setAttribute(name, getComputedStyle(shown[at]).getPropertyValue(name))
    }
  })
}
