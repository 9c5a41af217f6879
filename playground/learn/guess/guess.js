// You draw it: one point a column, moved by hand or by the keys; then the measured ones over them.

import { button, element, mounted, svg, View } from "../../browser/elements.js"

const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [320, 60, 24, 18, 58]
const NARROWEST = 320 // px
const STEPS = 60 // of the scale, by key

/**
 * What Python sends; the values go from 0 to `most`, and those `placed` before the reveal are null.
 * @typedef {{
 *   columns: {name: string, size: string}[], start: number[], placed: number[] | null,
 *   measured: number[] | null, most: number, unit: string,
 *   labels: {reveal: string, hint: string, alt: string},
 * }} Data
 */

/** @extends {View<Data>} */
class Guess extends View {
  /** @type {Data} */
  data
  /** @type {number[]} */
  placed = []
  /** @type {SVGElement[]} */
  points = []
  width = NARROWEST
  picture = svg("svg")
  line = svg("path")

  /** @param {HTMLElement | ShadowRoot} parent */
  constructor(parent) {
    super()
    this.root = element("div", "view guess")
    parent.append(this.root)
    this.plot = element("div", "plot")
    this.bar = element("div", "guess-bar")
    this.root.append(this.plot, this.bar)
    this.resized = new ResizeObserver(() => this.width !== this.room() && this.draw())
    this.resized.observe(this.plot)
  }

  room() {
    return Math.max(this.plot.clientWidth, NARROWEST)
  }

  destroy() {
    this.resized.disconnect()
    this.root.remove()
  }

  /** @param {Data} data */
  update(data) {
    this.data = data
    if (this.placed.length !== data.columns.length) this.placed = [...data.start]
    if (data.placed) this.placed = [...data.placed]
    this.draw()
  }

  /** @param {number} at */
  x(at) {
    return LEFT + ((at + 0.5) / this.data.columns.length) * (this.width - LEFT - RIGHT)
  }

  /** @param {number} value */
  y(value) {
    return TOP + (1 - value / this.data.most) * (HEIGHT - TOP - BOTTOM)
  }

  /** @param {readonly number[]} values */
  path(values) {
    return values.map((value, at) => `${at ? "L" : "M"}${this.x(at)} ${this.y(value)}`).join("")
  }

  draw() {
    const { measured, labels } = this.data
    this.width = this.room()
    const view = { viewBox: `0 0 ${this.width} ${HEIGHT}`, "aria-label": labels.alt, role: "group" }
    this.picture = svg("svg", view)
    this.drawAxes()
    this.line = svg("path", { class: "drawn" })
    this.picture.append(this.line)
    this.points = this.placed.map((_, at) => (measured ? this.fixedPoint(at) : this.point(at)))
    this.picture.append(...this.points)
    if (measured) this.drawMeasured(measured)
    this.plot.replaceChildren(this.picture)
    this.place()
    this.bar.replaceChildren()
    if (measured) return
    const tell = () => this.setStateValue("placed", this.placed)
    this.bar.append(button(labels.reveal, tell, "reveal"), element("span", "quiet", labels.hint))
  }

  /**
   * @param {string} said
   * @param {number} x
   * @param {number} y
   * @param {string} className
   * @param {"start" | "middle" | "end"} [anchor]
   */
  write(said, x, y, className, anchor = "middle") {
    this.picture.append(svg("text", { x, y, class: className, "text-anchor": anchor }, said))
  }

  drawAxes() {
    const { columns, most, unit } = this.data
    for (let value = 0; value <= most; value += most / 4) {
      const y = this.y(value)
      const line = { x1: LEFT, x2: this.width - RIGHT, y1: y, y2: y, class: "rule-line" }
      this.picture.append(svg("line", line))
      this.write(`${value}${unit}`, LEFT - 8, y + 4, "axis", "end")
    }
    columns.forEach((column, at) => {
      this.write(column.name, this.x(at), HEIGHT - BOTTOM + 20, "axis strong")
      this.write(column.size, this.x(at), HEIGHT - BOTTOM + 38, "axis")
    })
  }

  /** @param {readonly number[]} measured */
  drawMeasured(measured) {
    this.picture.append(svg("path", { d: this.path(measured), class: "measured" }))
    measured.forEach((value, at) => {
      const [x, y] = [this.x(at), this.y(value)]
      this.picture.append(svg("circle", { cx: x, cy: y, r: 6, class: "measured-dot" }))
      const text = `${value.toPrecision(3)}${this.data.unit}`
      this.write(text, x + 10, y - 9, "measured-label", "start")
    })
  }

  /** @param {number} at */
  fixedPoint(at) {
    return svg("circle", { cx: this.x(at), r: 5, class: "placed fixed" })
  }

  /** @param {number} at */
  point(at) {
    const { most, columns } = this.data
    const point = svg("circle", {
      cx: this.x(at),
      r: 10,
      class: "placed",
      tabindex: 0,
      role: "slider",
      "aria-label": columns[at].name,
      "aria-valuemin": 0,
      "aria-valuemax": most,
    })
    const move = (/** @type {number} */ value) => {
      this.placed[at] = Math.max(0, Math.min(most, value))
      this.place()
    }
    point.addEventListener("keydown", (event) => {
      const step = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key]
      if (!step) return
      move(this.placed[at] + (step * most) / STEPS)
      event.preventDefault()
    })
    point.addEventListener("pointerdown", (event) => {
      point.setPointerCapture(event.pointerId)
      event.preventDefault()
      point.focus({ preventScroll: true })
    })
    point.addEventListener("pointermove", (event) => {
      if (!point.hasPointerCapture(event.pointerId)) return
      const box = this.picture.getBoundingClientRect()
      const y = ((event.clientY - box.top) / box.height) * HEIGHT
      move((1 - (y - TOP) / (HEIGHT - TOP - BOTTOM)) * most)
    })
    return point
  }

  /** Put the points, and the line through them, where they are. */
  place() {
    this.line.setAttribute("d", this.path(this.placed))
    this.points.forEach((point, at) => {
      point.setAttribute("cy", String(this.y(this.placed[at])))
      point.setAttribute("aria-valuenow", this.placed[at].toFixed(2))
    })
  }
}

export default mounted(Guess)
