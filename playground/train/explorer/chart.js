// A small chart over the merges: drag in it to choose how many are made.

/** @import { Series } from "./chart_file.js" */
import { element, svg } from "../../browser/elements.js"
import { menu, save } from "../../browser/saving.js"
import { number } from "../../browser/words.js"
import { scaled, unscaled } from "./model.js"
import { asCsv, asPicture } from "./chart_file.js"

const CHART_HEIGHT = 120
const MARGIN = { left: 40, right: 8, top: 8, bottom: 18 }

/**
 * `stacked` makes the series filled areas that add up; `most` is where the axis ends, if not at the
 * largest value.
 * @typedef {{stacked?: boolean, most?: number, percent?: boolean, logarithmic?: boolean}} Options
 */

export class Chart {
  /** @type {number[]} the merges that the series have a value for */
  steps = []
  /** @type {Series[]} */
  series = []
  last = 0
  width = 0
  /** @type {SVGElement | null} */
  cursor = null

  /**
   * @param {(done: number) => void} go
   * @param {Options} [options]
   */
  constructor(go, options = {}) {
    this.go = go
    this.options = options
    this.node = element("figure", "chart")
    this.title = element("figcaption")
    this.drawing = svg("svg", { role: "img" })
    this.links = element("div")
    this.node.append(this.title, this.drawing, this.links)
    this.drawing.addEventListener("pointerdown", (event) => {
      this.drawing.setPointerCapture(event.pointerId)
      this.drag(event)
    })
    this.drawing.addEventListener("pointermove", (event) => event.buttons && this.drag(event))
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const box = this.drawing.getBoundingClientRect()
    const place = (event.clientX - box.left - MARGIN.left) /
      (box.width - MARGIN.left - MARGIN.right)
    this.go(unscaled(Math.min(Math.max(place, 0), 1), this.last))
  }

  /**
   * @param {number[]} steps
   * @param {number} last
   * @param {Series[]} series
   * @param {number} width
   */
  draw(steps, last, series, width) {
    Object.assign(this, { steps, last, series, width })
    const y = this.heights()
    this.drawing.replaceChildren()
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${CHART_HEIGHT}`)
    this.drawing.setAttribute("height", String(CHART_HEIGHT))
    this.drawAxes(y)
    let floor = steps.map(() => 0)
    for (const { values, className } of series) {
      if (this.options.stacked) {
        const top = values.map((value, n) => floor[n] + (value ?? 0))
        const line = [...points(steps, top), ...points(steps, floor).reverse()]
        this.drawing.append(this.shape("polygon", line, y, className))
        floor = top
      } else this.drawing.append(this.shape("polyline", points(steps, values), y, className))
    }
    this.cursor = svg("line", { y1: MARGIN.top, y2: CHART_HEIGHT - MARGIN.bottom, class: "cursor" })
    this.drawing.append(this.cursor)
  }

  /** The largest value that there is room for. */
  get most() {
    const values = this.series.flatMap(({ values }) => values)
    return this.options.most ?? Math.max(...values.map((value) => value ?? 0), 1e-9)
  }

  /** How high values stand. @returns {(value: number) => number} */
  heights() {
    const { most } = this
    const inner = CHART_HEIGHT - MARGIN.top - MARGIN.bottom
    const level = this.options.logarithmic
      ? (/** @type {number} */ value) => Math.log1p(value) / Math.log1p(most)
      : (/** @type {number} */ value) => value / most
    return (value) => MARGIN.top + inner * (1 - level(value))
  }

  /** @param {(value: number) => number} y */
  drawAxes(y) {
    const { last, width, most } = this
    const { logarithmic, percent } = this.options
    const marks = logarithmic
      ? [...Array(7).keys()].map((n) => 10 ** n).filter((n) => n <= most)
      : ticks(most)
    for (const mark of marks) {
      const at = y(mark)
      const text = percent ? `${Math.round(mark * 100)}%` : number(mark)
      this.drawing.append(
        svg("line", { x1: MARGIN.left, x2: width - MARGIN.right, y1: at, y2: at, class: "grid" }),
        svg("text", { x: MARGIN.left - 5, y: at + 3, "text-anchor": "end" }, text),
      )
    }
    for (const done of new Set([0, ...[0.25, 0.5, 0.75].map((p) => unscaled(p, last)), last])) {
      const anchor = done === last ? "end" : done === 0 ? "start" : "middle"
      const place = { x: this.x(done), y: CHART_HEIGHT - 4, "text-anchor": anchor }
      this.drawing.append(svg("text", place, number(done)))
    }
  }

  /**
   * Offer the chart as files, called by a title.
   * @param {string} title
   * @param {{save: Record<string, string>, merges: string}} labels
   */
  offer(title, labels) {
    const content = (/** @type {string} */ kind) =>
      kind === "CSV" ? asCsv(labels.merges, this.steps, this.series) : asPicture(this, title)
    this.links.replaceChildren(
      menu(labels.save, title, (kind) => save(kind, title, content(kind))),
    )
  }

  /** @param {number} done */
  x(done) {
    return MARGIN.left + (this.width - MARGIN.left - MARGIN.right) * scaled(done, this.last)
  }

  /**
   * @param {"polygon" | "polyline"} tag
   * @param {readonly [number, number][]} line
   * @param {(value: number) => number} y
   * @param {string} className
   */
  shape(tag, line, y, className) {
    const path = line.map(([done, value]) => `${this.x(done).toFixed(1)},${y(value).toFixed(1)}`)
    return svg(tag, { points: path.join(" "), class: className })
  }

  /**
   * Put the cursor at a merge, and say in the title what is there.
   * @param {number} done
   * @param {(Node | string)[]} title
   */
  show(done, ...title) {
    this.title.replaceChildren(...title)
    this.drawing.setAttribute("aria-label", this.title.textContent ?? "")
    const x = String(this.x(done))
    this.cursor?.setAttribute("x1", x)
    this.cursor?.setAttribute("x2", x)
  }
}

/**
 * Round numbers for an axis that ends at `most`.
 * @param {number} most
 */
export function ticks(most) {
  const step = 10 ** Math.floor(Math.log10(most || 1))
  const unit = [0.2, 0.5, 1, 2].map((n) => n * step).find((n) => most / n <= 4) ?? step
  return Array.from({ length: Math.floor(most / unit) + 1 }, (_, n) => n * unit)
}

/**
 * @param {readonly number[]} steps
 * @param {readonly (number | null)[]} values
 */
function points(steps, values) {
  return steps.flatMap((done, n) => {
    const value = values[n]
    return value === null ? [] : [/** @type {[number, number]} */ ([done, value])]
  })
}
