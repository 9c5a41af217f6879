// Three links under a chart. The picture is the SVG that Vega has drawn, with the colour of the
// page behind it; a PNG is that picture at twice its size.

import { save } from "../../browser/saving.js"

const SVG = "http://www.w3.org/2000/svg"
const EDGE = 8

/** Find the chart with this text that stands last before the links. */
function drawn(text, links) {
  const above = [...document.querySelectorAll('[data-testid="stVegaLiteChart"]')].filter(
    (chart) =>
      chart.getAttribute("aria-label") === text &&
      chart.compareDocumentPosition(links) & Node.DOCUMENT_POSITION_FOLLOWING,
  )
  return above.at(-1)?.querySelector("svg")
}

/** Write the colours that depend on the theme as they are now: few programs know `light-dark`. */
function settleColours(copy, svg) {
  const shown = [...svg.querySelectorAll("*")]
  ;[...copy.querySelectorAll("*")].forEach((element, at) => {
    for (const name of ["fill", "stroke"]) {
      if (!element.getAttribute(name)?.startsWith("light-dark")) continue
      element.setAttribute(name, getComputedStyle(shown[at])[name])
    }
  })
}

function picture(svg, colour) {
  // What is drawn may reach beyond the frame, as labels do on a phone.
  const { x, y, width: across, height: down } = svg.getBBox()
  const frame = svg.viewBox.baseVal
  const [left, top] = [Math.min(x, frame.x) - EDGE, Math.min(y, frame.y) - EDGE]
  const width = Math.ceil(Math.max(x + across, frame.x + frame.width) + EDGE - left)
  const height = Math.ceil(Math.max(y + down, frame.y + frame.height) + EDGE - top)
  const copy = svg.cloneNode(true)
  settleColours(copy, svg)
  const ground = document.createElementNS(SVG, "rect")
  const set = (element, values) =>
    Object.entries(values).forEach(([name, value]) => element.setAttribute(name, value))
  set(copy, { xmlns: SVG, viewBox: `${left} ${top} ${width} ${height}`, width, height })
  set(ground, { x: left, y: top, width, height, fill: colour })
  copy.removeAttribute("style")
  copy.prepend(ground)
  return { width, height, text: new XMLSerializer().serializeToString(copy) }
}

export default function ({ data, parentElement }) {
  const host = parentElement.host ?? parentElement
  const line = document.createElement("p")
  for (const [kind, label] of Object.entries(data.labels)) {
    const button = document.createElement("button")
    button.type = "button"
    button.textContent = kind
    button.title = label
    button.setAttribute("aria-label", `${label}: ${data.chart}`)
    button.onclick = () => {
      if (kind === "CSV") return save(kind, data.chart, data.csv)
      const svg = drawn(data.chart, host)
      if (!svg) return
      const colour = getComputedStyle(host).getPropertyValue("--st-background-color") || "white"
      save(kind, data.chart, picture(svg, colour.trim()))
    }
    line.append(button)
  }
  parentElement.querySelector("p")?.remove()
  parentElement.append(line)
}
