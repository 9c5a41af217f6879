// Bytes per symbol after each merge, the reader's and those of BPE.

import { svg } from "../../browser/elements.js"

const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [190, 40, 70, 16, 26]

/** @typedef {{className: "mine" | "machine", label: string, rates: readonly number[]}} Line */

/**
 * @param {readonly Line[]} lines
 * @param {number} low the rate before the first merge
 * @param {number} high
 * @param {number} most how many merges there may be
 * @param {string} alt
 * @param {number} width
 */
export function chartOf(lines, low, high, most, alt, width) {
  const x = (/** @type {number} */ step) => LEFT + (step / most) * (width - LEFT - RIGHT)
  const y = (/** @type {number} */ rate) =>
    TOP + (1 - (rate - low) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM)
  const view = { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": alt }
  const picture = svg("svg", view)
  const bottom = HEIGHT - BOTTOM
  picture.append(
    svg("line", { x1: LEFT, x2: width - RIGHT, y1: bottom, y2: bottom, class: "rule-line" }),
  )
  for (let step = 0; step <= most; step += 2) {
    const place = { x: x(step), y: HEIGHT - 8, class: "axis", "text-anchor": "middle" }
    picture.append(svg("text", place, String(step)))
  }
  for (const rate of [low, high / 1.05]) {
    const place = { x: LEFT - 6, y: y(rate) + 4, class: "axis", "text-anchor": "end" }
    picture.append(svg("text", place, rate.toFixed(2)))
  }
  for (const { className, label, rates } of lines) {
    const path = rates.map((rate, step) => `${step ? "L" : "M"}${x(step)} ${y(rate)}`)
    const last = rates.length - 1
    const [cx, cy] = [x(last), y(rates[last])]
    const place = { x: cx + 9, y: cy + (className === "mine" ? -6 : 14), class: "label" }
    picture.append(
      svg("path", { d: path.join(""), class: className }),
      svg("circle", { cx, cy, r: 5, class: `${className}-dot` }),
      svg("text", place, label),
    )
  }
  return picture
}
