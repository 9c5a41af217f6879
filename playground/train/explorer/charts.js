// Small charts over the merges, all on one axis: drag in any of them to choose how many are made.

import { button, element, svg } from "../../browser/elements.js"
import { save } from "../../browser/saving.js"
import { scaled, unscaled } from "./model.js"

const CHART_HEIGHT = 120
const TITLE = 20 // of a saved picture, above the chart: a line for the title, one for each name
const LOOKS = ["fill", "stroke", "stroke-width", "font-size", "font-family"]
const MARGIN = { left: 40, right: 8, top: 8, bottom: 18 }

/** Round numbers for an axis that ends at `most`. */
function ticks(most) {
  const step = 10 ** Math.floor(Math.log10(most || 1))
  const unit = [0.2, 0.5, 1, 2].map((n) => n * step).find((n) => most / n <= 4) ?? step
  return Array.from({ length: Math.floor(most / unit) + 1 }, (_, n) => n * unit)
}

export class Chart {
  /** `options.stacked` makes the series filled areas that add up. */
  constructor(go, options = {}) {
    this.go = go
    this.options = options
    this.node = element("figure", "chart")
    this.title = element("figcaption")
    this.drawing = svg("svg", { role: "img" })
    this.links = element("p", "save")
    this.node.append(this.title, this.drawing, this.links)
    this.drawing.addEventListener("pointerdown", (event) => {
      this.drawing.setPointerCapture(event.pointerId)
      this.drag(event)
    })
    this.drawing.addEventListener("pointermove", (event) => event.buttons && this.drag(event))
  }

  drag(event) {
    const box = this.drawing.getBoundingClientRect()
    const place = (event.clientX - box.left - MARGIN.left) /
      (box.width - MARGIN.left - MARGIN.right)
    this.go(unscaled(Math.min(Math.max(place, 0), 1), this.last))
  }

  /** `series` are `{name, values, className}`. */
  draw(steps, last, series, width) {
    this.last = last
    this.data = { steps, series }
    this.width = width
    const { logarithmic, stacked, most: given } = this.options
    const flat = series.flatMap(({ values }) => values).filter((value) => value !== null)
    const most = given ?? Math.max(...flat, 1e-9)
    const inner = CHART_HEIGHT - MARGIN.top - MARGIN.bottom
    const level = (value) => (logarithmic ? Math.log1p(value) / Math.log1p(most) : value / most)
    const y = (value) => MARGIN.top + inner * (1 - level(value))
    this.drawing.replaceChildren()
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${CHART_HEIGHT}`)
    this.drawing.setAttribute("height", CHART_HEIGHT)
    const marks = logarithmic
      ? [...Array(7).keys()].map((n) => 10 ** n).filter((n) => n <= most)
      : ticks(most)
    for (const mark of marks) {
      const at = y(mark)
      this.drawing.append(
        svg("line", { x1: MARGIN.left, x2: width - MARGIN.right, y1: at, y2: at, class: "grid" }),
        this.label(
          MARGIN.left - 5,
          at + 3,
          this.options.percent ? `${Math.round(mark * 100)}%` : number(mark),
          "end",
        ),
      )
    }
    for (const done of new Set([0, ...[0.25, 0.5, 0.75].map((p) => unscaled(p, last)), last])) {
      const anchor = done === last ? "end" : done === 0 ? "start" : "middle"
      this.drawing.append(this.label(this.x(done), CHART_HEIGHT - 4, number(done), anchor))
    }
    let floor = steps.map(() => 0)
    for (const { values, className } of series) {
      if (stacked) {
        const top = values.map((value, n) => floor[n] + value)
        const line = [...points(steps, top), ...points(steps, floor).reverse()]
        this.drawing.append(this.shape("polygon", line, y, className))
        floor = top
      } else this.drawing.append(this.shape("polyline", points(steps, values), y, className))
    }
    this.cursor = svg("line", { y1: MARGIN.top, y2: CHART_HEIGHT - MARGIN.bottom, class: "cursor" })
    this.drawing.append(this.cursor)
  }

  /** Offer the chart as files, called by a title. */
  offer(title, { save: labels, merges }) {
    const kinds = Object.entries(labels).map(([kind, label]) => {
      const link = button(
        kind,
        () => save(kind, title, kind === "CSV" ? this.lines(merges) : this.picture(title)),
      )
      link.title = label
      link.setAttribute("aria-label", `${label}: ${title}`)
      link.className = "link"
      return link
    })
    this.links.replaceChildren(...kinds)
  }

  /** The data, a row for each step, with the mark by which spreadsheets know UTF-8. */
  lines(merges) {
    const { steps, series } = this.data
    const rows = steps.map((done, n) => [done, ...series.map(({ values }) => values[n] ?? "")])
    return "\ufeff" +
      [[merges, ...series.map(({ name }) => name)], ...rows].map((row) => `${row.join(",")}\n`)
        .join("")
  }

  /** The chart as it is drawn, on its own: with title and names, and its colours written into it. */
  picture(title) {
    const { series } = this.data
    const copy = this.drawing.cloneNode(true)
    const parts = [...copy.querySelectorAll("*")]
    ;[...this.drawing.querySelectorAll("*")].forEach((part, n) => {
      const style = getComputedStyle(part)
      for (const look of LOOKS) {
        parts[n].setAttribute(look, plainColour(style.getPropertyValue(look)))
      }
    })
    const style = getComputedStyle(this.node)
    const written = (text, x, y, size, weight) => {
      const made = svg("text", {
        x,
        y,
        "font-size": size,
        "font-weight": weight,
        "font-family": style.fontFamily,
        fill: plainColour(style.color),
      })
      made.textContent = text
      return made
    }
    const named = series.filter(({ name }) => name && series.length > 1)
    const above = TITLE * (1 + named.length)
    const [width, height] = [this.width, CHART_HEIGHT + above]
    const whole = svg("svg", {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
    })
    const chart = svg("g", { transform: `translate(0 ${above})` })
    chart.append(...copy.childNodes)
    const ground = plainColour(style.getPropertyValue("--st-background-color").trim() || "white")
    whole.append(svg("rect", { width, height, fill: ground }), written(title, 4, 14, 13, 600))
    named.forEach(({ name, className }, n) => {
      const y = TITLE * (n + 1)
      const swatch = this.title.querySelector(`.swatch.${className}`)
      const fill = plainColour(getComputedStyle(swatch).backgroundColor)
      whole.append(
        svg("rect", { x: 4, y: y + 4, width: 10, height: 10, fill }),
        written(name, 20, y + 13, 12, 400),
      )
    })
    whole.append(chart)
    return { width, height, text: new XMLSerializer().serializeToString(whole) }
  }

  x(done) {
    return MARGIN.left + (this.width - MARGIN.left - MARGIN.right) * scaled(done, this.last)
  }

  label(x, y, text, anchor) {
    const made = svg("text", { x, y, "text-anchor": anchor })
    made.textContent = text
    return made
  }

  shape(tag, line, y, className) {
    const path = line.map(([done, value]) => `${this.x(done).toFixed(1)},${y(value).toFixed(1)}`)
    return svg(tag, { points: path.join(" "), class: className })
  }

  /** Put the cursor at a merge, and say in the title what is there. */
  show(done, ...title) {
    this.title.replaceChildren(...title)
    this.drawing.setAttribute("aria-label", this.title.textContent)
    if (!this.cursor) return
    this.cursor.setAttribute("x1", this.x(done))
    this.cursor.setAttribute("x2", this.x(done))
  }
}

/** A colour as every program reads it; other values as they are. */
function plainColour(value) {
  if (!/^(color|ok|lab|lch|rgba)/.test(value)) return value
  const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 })
    .getContext("2d")
  context.fillStyle = value
  context.fillRect(0, 0, 1, 1)
  const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data
  return alpha ? `rgb(${red}, ${green}, ${blue})` : "none"
}

function points(steps, values) {
  return steps.map((done, n) => [done, values[n]]).filter(([, value]) => value !== null)
}

/** A row of bars with names and numbers, each as long as its share of the largest. */
export class Bars {
  constructor() {
    this.node = element("div", "bars")
  }

  draw(rows) {
    const most = Math.max(...rows.map(([, value]) => value), 1)
    this.node.replaceChildren(
      ...rows.flatMap(([name, value]) => {
        const bar = element("span", "bar-fill")
        bar.style.width = `${(value / most) * 100}%`
        const track = element("span", "track")
        track.append(bar)
        return [element("span", "quiet", name), track, element("span", "amount", number(value))]
      }),
    )
  }
}
