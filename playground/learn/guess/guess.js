// You draw it: one point a column, moved by hand or by the keys; then the measured ones over them.

import { button, element, mounted, svg } from "../../browser/elements.js"

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [720, 320, 60, 24, 18, 58]
const STEPS = 60 // of the scale, by key

class Guess {
  constructor(parent) {
    this.root = element("div", "view guess")
    parent.append(this.root)
    this.plot = element("div", "plot")
    this.bar = element("div", "guess-bar")
    this.root.append(this.plot, this.bar)
  }

  destroy() {
    this.root.remove()
  }

  update(data) {
    this.data = data
    if (!this.placed || this.placed.length !== data.columns.length) this.placed = [...data.start]
    if (data.placed) this.placed = [...data.placed]
    this.draw()
  }

  x(at) {
    return LEFT + ((at + 0.5) / this.data.columns.length) * (WIDTH - LEFT - RIGHT)
  }

  y(value) {
    return TOP + (1 - value / this.data.most) * (HEIGHT - TOP - BOTTOM)
  }

  draw() {
    const { data } = this
    const picture = svg("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      "aria-label": data.labels.alt,
      role: "group",
    })
    const text = (said, x, y, className, anchor = "middle") => {
      const node = svg("text", { x, y, class: className, "text-anchor": anchor })
      node.textContent = said
      picture.append(node)
      return node
    }
    for (let value = 0; value <= data.most; value += data.most / 4) {
      picture.append(
        svg("line", {
          x1: LEFT,
          x2: WIDTH - RIGHT,
          y1: this.y(value),
          y2: this.y(value),
          class: "rule-line",
        }),
      )
      text(`${value}${data.unit}`, LEFT - 8, this.y(value) + 4, "axis", "end")
    }
    data.columns.forEach((column, at) => {
      text(column.name, this.x(at), HEIGHT - BOTTOM + 20, "axis strong")
      text(column.size, this.x(at), HEIGHT - BOTTOM + 38, "axis")
    })
    this.line = svg("path", { class: "drawn" })
    picture.append(this.line)
    this.points = this.placed.map((_, at) => this.point(picture, at))
    if (data.measured) {
      const path = data.measured.map((value, at) =>
        `${at ? "L" : "M"}${this.x(at)} ${this.y(value)}`
      )
      picture.append(svg("path", { d: path.join(""), class: "measured" }))
      data.measured.forEach((value, at) => {
        picture.append(
          svg("circle", { cx: this.x(at), cy: this.y(value), r: 6, class: "measured-dot" }),
        )
        text(
          `${value.toPrecision(3)}${data.unit}`,
          this.x(at) + 10,
          this.y(value) - 9,
          "measured-label",
          "start",
        )
      })
    }
    this.picture = picture
    this.plot.replaceChildren(picture)
    this.place()
    this.bar.replaceChildren()
    if (data.measured) return
    const reveal = button(data.labels.reveal, () => this.setStateValue("placed", this.placed))
    reveal.className = "reveal"
    this.bar.append(reveal, element("span", "quiet", data.labels.hint))
  }

  point(picture, at) {
    const { data } = this
    const fixed = Boolean(data.measured)
    const point = svg("circle", {
      cx: this.x(at),
      r: fixed ? 5 : 10,
      class: fixed ? "placed fixed" : "placed",
    })
    picture.append(point)
    if (fixed) return point
    point.setAttribute("tabindex", "0")
    point.setAttribute("role", "slider")
    point.setAttribute("aria-label", data.columns[at].name)
    point.setAttribute("aria-valuemin", 0)
    point.setAttribute("aria-valuemax", data.most)
    const move = (value) => {
      this.placed[at] = Math.max(0, Math.min(data.most, value))
      this.place()
    }
    point.addEventListener("keydown", (event) => {
      const step = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key]
      if (!step) return
      move(this.placed[at] + (step * data.most) / STEPS)
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
      move((1 - (y - TOP) / (HEIGHT - TOP - BOTTOM)) * data.most)
    })
    return point
  }

  place() {
    const path = this.placed.map((value, at) => `${at ? "L" : "M"}${this.x(at)} ${this.y(value)}`)
    this.line.setAttribute("d", path.join(""))
    this.points.forEach((point, at) => {
      point.setAttribute("cy", this.y(this.placed[at]))
      point.setAttribute("aria-valuenow", this.placed[at].toFixed(2))
    })
  }
}

export default mounted(Guess)
