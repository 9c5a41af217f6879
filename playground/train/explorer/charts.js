// Small charts over the merges, all on one axis: drag in any of them to choose how many are made.

const CHART_HEIGHT = 120
const MARGIN = { left: 40, right: 8, top: 8, bottom: 18 }

function svg(tag, attributes = {}) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  return made
}

/** Round numbers for an axis that ends at `most`. */
function ticks(most) {
  const step = 10 ** Math.floor(Math.log10(most || 1))
  const unit = [0.2, 0.5, 1, 2].map((n) => n * step).find((n) => most / n <= 4) ?? step
  return Array.from({ length: Math.floor(most / unit) + 1 }, (_, n) => n * unit)
}

class Chart {
  /** `series` are `{name, values, className}`; stacked ones are filled areas that add up. */
  constructor(go, options = {}) {
    this.go = go
    this.options = options
    this.node = element("figure", "chart")
    this.title = element("figcaption")
    this.drawing = svg("svg", { role: "img" })
    this.node.append(this.title, this.drawing)
    this.drawing.addEventListener("pointerdown", (event) => {
      this.drawing.setPointerCapture(event.pointerId)
      this.drag(event)
    })
    this.drawing.addEventListener("pointermove", (event) => event.buttons && this.drag(event))
  }

  drag(event) {
    const box = this.drawing.getBoundingClientRect()
    const place = (event.clientX - box.left - MARGIN.left) / (box.width - MARGIN.left - MARGIN.right)
    this.go(unscaled(Math.min(Math.max(place, 0), 1), this.last))
  }

  draw(steps, last, series, width) {
    this.last = last
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
        this.label(MARGIN.left - 5, at + 3, this.options.percent ? `${Math.round(mark * 100)}%` : number(mark), "end")
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

function points(steps, values) {
  return steps.map((done, n) => [done, values[n]]).filter(([, value]) => value !== null)
}

/** A row of bars with names and numbers, each as long as its share of the largest. */
class Bars {
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
      })
    )
  }
}
