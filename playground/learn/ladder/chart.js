// Length of the text against size of the vocabulary: a curve for BPE, a point for each other row.

/** @import { Word } from "../../browser/training.js" */
import { element, svg } from "../../browser/elements.js"
import { number } from "../../browser/words.js"

const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [230, 44, 30, 26, 40]
const NARROWEST = 320 // px
const TICKS = [50, 100, 200, 500, 1000, 2000, 5000, 10000, 50000, 100000]

/**
 * `base` is the size of the vocabulary before the first merge.
 * @typedef {{
 *   base: number, points: [name: string, size: number, length: number][],
 *   xTitle: string, yTitle: string, alt: string,
 * }} ChartData
 */
/** After so many merges the text has so many symbols. @typedef {[number, number]} Place */

export class Chart {
  /** @type {ChartData | null} */
  given = null
  /** @type {Place[]} */
  curve = []
  /** The logarithms of the sizes at both ends of the axis. */
  low = 0
  high = 1
  most = 1
  width = NARROWEST
  /** After so many merges the dot stands. */
  step = 0

  /** @param {(step: number) => void} go */
  constructor(go) {
    this.go = go
    this.node = element("div", "chart")
    this.node.dataset.part = "chart"
    this.drawing = svg("svg")
    this.dot = svg("circle", { r: 7, class: "dot" })
    this.label = svg("text", { class: "dot-label" })
    this.node.addEventListener("pointerdown", (event) => this.drag(event))
    this.node.addEventListener("pointermove", (event) => event.buttons && this.drag(event))
    new ResizeObserver(() => this.given && this.draw(this.given)).observe(this.node)
  }

  /** @param {PointerEvent} event */
  drag(event) {
    if (!this.given) return
    const box = this.drawing.getBoundingClientRect()
    const x = ((event.clientX - box.left) / box.width) * this.width
    const place = (x - LEFT) / (this.width - LEFT - RIGHT)
    const size = Math.exp(place * (this.high - this.low) + this.low)
    this.go(Math.round(size - this.given.base))
    event.preventDefault()
  }

  /**
   * @param {ChartData | null} given
   * @param {readonly Word[]} pieces the pre-tokens of the text
   * @param {number} length of the text, in bytes
   * @param {number} last how many merges there are
   */
  reset(given, pieces, length, last) {
    this.given = given
    this.node.hidden = !given
    if (!given) return
    this.curve = curveOf(pieces, length, last)
    const sizes = [given.base, given.base + last, ...given.points.map(([, size]) => size)]
    this.low = Math.log(Math.min(...sizes) * 0.8)
    this.high = Math.log(Math.max(...sizes) * 1.3)
    this.most = Math.max(length, ...given.points.map((point) => point[2])) * 1.12 || 1
    this.draw(given)
  }

  /** @param {number} size */
  x(size) {
    const place = (Math.log(size) - this.low) / (this.high - this.low)
    return LEFT + place * (this.width - LEFT - RIGHT)
  }

  /** @param {number} length */
  y(length) {
    return TOP + (1 - length / this.most) * (HEIGHT - TOP - BOTTOM)
  }

  /** @param {ChartData} given */
  draw(given) {
    this.width = Math.max(this.node.clientWidth, NARROWEST)
    const view = { viewBox: `0 0 ${this.width} ${HEIGHT}`, role: "img", "aria-label": given.alt }
    this.drawing = svg("svg", view)
    const axis = (
      /** @type {string} */ text,
      /** @type {number} */ x,
      /** @type {number} */ y,
      /** @type {"start" | "middle" | "end"} */ anchor,
    ) => this.drawing.append(svg("text", { x, y, "text-anchor": anchor, class: "axis" }, text))
    const bottom = HEIGHT - BOTTOM
    this.drawing.append(
      svg("line", { x1: LEFT, x2: this.width - RIGHT, y1: bottom, y2: bottom, class: "rule-line" }),
    )
    for (const length of [0, Math.round(this.curve[0][1] / 2), this.curve[0][1]]) {
      axis(number(length), LEFT - 8, this.y(length) + 4, "end")
    }
    for (const size of TICKS) {
      const at = Math.log(size)
      if (at > this.low && at < this.high) axis(number(size), this.x(size), bottom + 16, "middle")
    }
    axis(given.xTitle, this.width - RIGHT, HEIGHT - 4, "end")
    axis(given.yTitle, 4, 18, "start")
    const path = this.curve.map(([step, length], at) =>
      `${at ? "L" : "M"}${this.x(given.base + step)} ${this.y(length)}`
    )
    this.drawing.append(svg("path", { d: path.join(""), class: "curve" }))
    for (const [name, size, length] of given.points) {
      const [x, y] = [this.x(size), this.y(length)]
      this.drawing.append(svg("circle", { cx: x, cy: y, r: 5, class: "point" }))
      const left = x > this.width * 0.75
      const text = `${name} ${length}`
      axis(text, x + (left ? -9 : 9), y + (y + 20 > bottom ? -7 : 18), left ? "end" : "start")
    }
    this.drawing.append(this.dot, this.label)
    this.node.replaceChildren(this.drawing)
    this.show(this.step)
  }

  /** @param {number} step */
  show(step) {
    this.step = step
    if (!this.given) return
    const [, length] = this.curve.findLast(([at]) => at <= step) ?? this.curve[0]
    const [x, y] = [this.x(this.given.base + step), this.y(length)]
    this.dot.setAttribute("cx", String(x))
    this.dot.setAttribute("cy", String(y))
    this.label.textContent = `BPE ${length}`
    // The curve falls, so there is room above it on the right.
    const left = x > this.width * 0.85
    this.label.setAttribute("x", String(left ? x : x + 10))
    this.label.setAttribute("y", String(y - (left ? 14 : 8)))
    this.label.setAttribute("text-anchor", left ? "end" : "start")
  }
}

/**
 * How long a text is after each of the merges that shorten it, in steps.
 * @param {readonly Word[]} pieces
 * @param {number} length
 * @param {number} last
 */
export function curveOf(pieces, length, last) {
  /** @type {Place[]} the numbers of the merges, and by how much they shorten it */
  const steps = []
  for (const piece of pieces) {
    let before = piece.first.length
    for (const [rank, symbols] of piece.applied(last).slice(1)) {
      steps.push([rank + 1, before - symbols.length])
      before = symbols.length
    }
  }
  steps.sort((one, other) => one[0] - other[0])
  /** @type {Place[]} */
  const curve = [[0, length]]
  for (const [step, less] of steps) {
    curve.push([step, length], [step, length - less])
    length -= less
  }
  curve.push([last, length])
  return curve
}
