// One text in several rows, each cut in its own way, over the same bytes: whatever is pointed at
// lights up in every row. A row may follow a slider: through the merges of a training, which are
// worked out here, or through frames that were sent.

import { HUES } from "../../browser/row.js"
import { element, mounted, svg } from "../../browser/elements.js"
import { glyphOf } from "../../browser/glyphs.js"
import { Picture } from "../../browser/picture.js"
import { Training, Word } from "../../browser/training.js"
import { characterAt, hex, spell } from "../../browser/utf8.js"
import { fill, shorten } from "../../browser/words.js"

class Ladder extends Picture {
  constructor(parent) {
    super(parent, "ladder")
    this.rows = element("div", "rows")
    this.rows.dataset.part = "rows"
    this.status = element("p", "status quiet")
    this.chart = new Chart((step) => this.transport.go(step))
    this.notes = element("div", "notes")
    this.noted = element("ul")
    this.notesTitle = element("p", "quiet")
    this.notes.append(this.notesTitle, this.noted)
    this.root.append(
      this.transport.node,
      this.rows,
      this.status,
      this.notes,
      this.chart.node,
      this.cards.node,
    )
    this.step = 0
    this.names = []
    this.cells = []
  }

  update(data) {
    const fresh = data.version !== this.version
    this.version = data.version
    this.data = data
    this.bytes = Uint8Array.from(atob(data.bytes), (sign) => sign.charCodeAt(0))
    this.characters = []
    for (let at = 0; at < this.bytes.length;) {
      const [size, valid] = characterAt(this.bytes, at)
      this.characters.push({ start: at, size, text: valid ? spell(this.bytes, at, size) : null })
      at += size
    }
    if (data.training) {
      if (this.trainedAs !== data.training.version) {
        this.training = new Training(data.training)
        this.trainedAs = data.training.version
        this.transport.reset(this.training.last, data.step)
        this.step = this.transport.step
      }
      let at = 0
      this.pieces = data.pieces.map((size) => {
        const word = new Word(this.training, "", 1, new Map())
        word.start = Array.from(this.bytes.subarray(at, at + size))
        at += size
        return word
      })
    } else {
      this.training = null
      if (fresh) {
        this.transport.reset(Math.max(0, data.positions.length - 1), data.step)
        this.step = this.transport.step
      }
    }
    this.transport.places = data.positions.length ? data.positions : null
    this.transport.name(data.labels.transport)
    this.transport.node.hidden = !this.transport.last
    this.root.classList.toggle("with-bytes", data.rows.some((row) => row.kind === "bytes"))
    this.cards.draw(data.cards, data.labels.transport)
    this.chart.reset(data.chart, this)
    this.drawBlocks()
    this.focus(data.cards[this.cards.at])
    this.show(this.step)
  }

  /** A card that speaks of rows leaves the others pale. */
  focus(card) {
    super.focus(card)
    const numbers = card?.part.match(/^rows? ([\d, ]+)$/)?.[1]
    this.spoken = numbers ? new Set(numbers.split(",").map(Number)) : null
    this.relight()
  }

  /** A row as it is at a step: its sizes in bytes, and what is written on the cells. */
  at(row, step) {
    if (row.frames.length) {
      return row.frames.findLast((frame) => frame.step <= step) ?? row.frames[0]
    }
    if (row.kind !== "bpe") return row
    const sizes = this.pieces.flatMap((piece) =>
      piece.cut(step).map((symbol) => this.training.spelling[symbol].length)
    )
    return { ...row, sizes }
  }

  /** Blocks between the boundaries that all rows have, so that a long text wraps. */
  drawBlocks() {
    const { rows } = this.data
    const borders = (sizes) => {
      const found = new Set()
      let at = 0
      for (const size of sizes) found.add(at += size)
      return found
    }
    const cuts = rows
      .filter((row) => row.kind !== "bytes" && row.kind !== "bpe")
      .flatMap((row) => (row.frames.length ? row.frames : [row]))
      .filter(({ sizes }) => sizes.length)
    const sets = cuts.map(({ sizes }) => borders(sizes))
    if (this.training) sets.push(borders(this.data.pieces))
    if (!sets.length) sets.push(borders(this.characters.map((unit) => unit.size)))
    // A row that ends early has no say in what comes behind it.
    const ends = sets.map((set) => Math.max(...set))
    const longest = sets[ends.indexOf(Math.max(...ends))]
    const common = [...longest]
      .filter((at) => sets.every((set, number) => at > ends[number] || set.has(at)))
      .sort((a, b) => a - b)
    this.blocks = []
    let start = 0
    for (const end of common) {
      if (end === start) continue
      const node = element("div", "block")
      node.style.gridTemplateColumns = `repeat(${end - start}, minmax(var(--byte), auto))`
      this.blocks.push({ node, start, end })
      start = end
    }
    this.names = rows.map((row) => {
      const name = element("div", "row-name")
      const label = element("span", "label", row.name)
      name.append(label, element("span", "total"))
      return name
    })
    const names = element("div", "names-block")
    names.append(...this.names)
    this.rows.replaceChildren(names, ...this.blocks.map((block) => block.node))
    this.drawn = rows.map(() => "")
    this.cells = rows.map(() => [])
  }

  show(step) {
    this.step = step
    const { rows } = this.data
    rows.forEach((row, number) => {
      const now = this.at(row, step)
      const total = this.names[number].querySelector(".total")
      total.textContent = (now.count ?? now.sizes.length).toLocaleString("en")
      const drawn = [now.sizes, now.labels, now.ids].join("/")
      if (this.drawn[number] === drawn) return
      this.drawn[number] = drawn
      this.drawRow(row, now, number)
    })
    this.notesTitle.textContent = this.data.notes
    this.noted.replaceChildren(
      ...rows.flatMap((row) => {
        const { note } = this.at(row, step)
        if (!note) return []
        const line = element("li")
        line.append(element("b", "", row.name), ` · ${note}`)
        return [line]
      }),
    )
    this.notes.hidden = !rows.some((row) => row.note || row.frames.some((frame) => frame.note))
    this.chart.show(step)
    this.relight()
    this.rows.setAttribute("aria-label", this.transport.place.textContent)
  }

  drawRow(row, now, number) {
    for (const cell of this.cells[number]) (cell.closest(".place-of") ?? cell).remove()
    this.cells[number] = []
    let at = 0
    let block = 0
    let place = null // of the token drawn last, which one without bytes, as </w>, stands behind
    const before = [] // such tokens where there is none yet, as ▁
    now.sizes.forEach((size, index) => {
      const start = at
      at += size
      if (!size && !now.labels?.[index]) return
      const cell = this.cell(row, now, index, start, at)
      this.cells[number].push(cell)
      if (!size) {
        if (place) place.append(cell)
        else before.push(cell)
        return
      }
      while (this.blocks[block].end <= start) block++
      const inside = this.blocks[block]
      place = element("span", "place-of")
      place.style.gridColumn = `${start - inside.start + 1} / span ${size}`
      place.style.gridRow = number + 1
      place.append(...before.splice(0), cell)
      inside.node.append(place)
    })
  }

  cell(row, now, index, start, end) {
    const given = now.labels?.[index]
    const plainRow = row.kind === "bytes" || row.kind === "characters"
    const cell = element(
      "span",
      `chip slot ${start === end ? "bare " : ""}${plainRow ? "base" : `hue${index % HUES}`}`,
    )
    cell.at = { row, now, index, start, end }
    if (given) {
      cell.append(given)
      cell.classList.add("special")
    } else if (row.kind === "bytes") {
      cell.append(element("span", "hex", hex(this.bytes.subarray(start, end))))
    } else this.spellInto(cell, start, end)
    if (now.faded?.includes(index)) cell.classList.add("faded")
    if (row.walls.includes(start)) cell.classList.add("wall")
    return cell
  }

  spellInto(cell, start, end) {
    for (const unit of this.characters) {
      if (unit.start + unit.size <= start) continue
      if (unit.start >= end) break
      const first = Math.max(start, unit.start)
      const last = Math.min(end, unit.start + unit.size)
      if (unit.text !== null && last - first === unit.size) cell.append(glyphOf(unit.text))
      else {
        const part = element("span", "part")
        part.append(
          element("span", "hex", hex(this.bytes.subarray(first, last))),
          element("span", "ghost", unit.text === null ? "" : glyphOf(unit.text)),
        )
        cell.append(part)
      }
    }
  }

  // What is under the pointer lights up in every row

  light(event) {
    const cell = (event?.composedPath() ?? []).find((node) => node.at)
    this.lit = cell?.at ?? null
    this.relight()
  }

  relight() {
    const { lit } = this
    this.cells.forEach((cells, number) => {
      const pale = Boolean(this.spoken) && !this.spoken.has(number)
      this.names[number].classList.toggle("pale", pale)
      for (const cell of cells) {
        cell.classList.toggle("pale", pale)
        cell.classList.toggle(
          "lit",
          Boolean(lit) && cell.at.start < lit.end && cell.at.end > lit.start,
        )
      }
    })
    this.status.textContent = this.data.labels.hint
    this.transport.mark(null)
    if (!lit) return
    const { row, now, index, start, end } = lit
    const said = [row.name, `“${this.textOf(start, end)}”`, hex(this.bytes.subarray(start, end))]
    if (now.ids) said.push(fill(this.data.labels.id, { id: String(now.ids[index]) }))
    const made = this.training ? this.mergeAt(start, end) : undefined
    if (made !== undefined) {
      this.transport.mark(made + 1)
      said.push(fill(this.data.labels.merge, { step: made + 1 }))
    }
    this.status.textContent = shorten(said.join(" · "), 160)
  }

  textOf(start, end) {
    return this.characters
      .filter((unit) => unit.start < end && unit.start + unit.size > start)
      .map((unit) => (unit.text === null ? "�" : glyphOf(unit.text)))
      .join("")
  }

  /** The number of the merge that made the BPE token over these bytes. */
  mergeAt(start, end) {
    let at = 0
    for (const piece of this.pieces) {
      for (const symbol of piece.cut(this.step)) {
        const size = this.training.spelling[symbol].length
        if (at <= start && at + size >= end) return this.training.madeBy.get(symbol)
        at += size
      }
    }
    return undefined
  }
}

/** Length of the text against size of the vocabulary: a curve for BPE, a point for each other row. */
class Chart {
  constructor(go) {
    this.node = element("div", "chart")
    this.node.dataset.part = "chart"
    const drag = (event) => {
      if (event.buttons === 0 && event.type !== "pointerdown") return
      const box = this.svg.getBoundingClientRect()
      const x = ((event.clientX - box.left) / box.width) * WIDTH
      const size = Math.exp(
        ((x - LEFT) / (WIDTH - LEFT - RIGHT)) * (this.high - this.low) + this.low,
      )
      go(Math.round(size - this.given.base))
      event.preventDefault()
    }
    this.node.addEventListener("pointerdown", drag)
    this.node.addEventListener("pointermove", drag)
  }

  reset(given, ladder) {
    this.given = given
    this.node.hidden = !given
    if (!given) return
    const { pieces, training } = ladder
    const steps = [] // the numbers of the merges that shorten this text, and by how much
    let length = ladder.bytes.length
    for (const piece of pieces) {
      let before = piece.first.length
      for (const [rank, symbols] of piece.applied(training.last).slice(1)) {
        steps.push([rank + 1, before - symbols.length])
        before = symbols.length
      }
    }
    steps.sort((one, other) => one[0] - other[0])
    this.curve = [[0, length]]
    for (const [step, less] of steps) {
      this.curve.push([step, length], [step, length - less])
      length -= less
    }
    this.curve.push([training.last, length])
    const sizes = [
      given.base,
      given.base + training.last,
      ...given.points.map((point) => point.size),
    ]
    this.low = Math.log(Math.min(...sizes) * 0.8)
    this.high = Math.log(Math.max(...sizes) * 1.3)
    this.most =
      Math.max(ladder.bytes.length, ...given.points.map((point) => point.length)) * 1.12 || 1
    this.draw()
  }

  x(size) {
    return LEFT + ((Math.log(size) - this.low) / (this.high - this.low)) * (WIDTH - LEFT - RIGHT)
  }

  y(length) {
    return TOP + (1 - length / this.most) * (HEIGHT - TOP - BOTTOM)
  }

  draw() {
    const { given } = this
    this.svg = svg("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": given.alt,
    })
    const axis = (text, x, y, anchor) => {
      const node = svg("text", { x, y, "text-anchor": anchor, class: "axis" })
      node.textContent = text
      this.svg.append(node)
    }
    this.svg.append(
      svg("line", {
        x1: LEFT,
        x2: WIDTH - RIGHT,
        y1: HEIGHT - BOTTOM,
        y2: HEIGHT - BOTTOM,
        class: "rule-line",
      }),
    )
    for (const size of [50, 100, 200, 500, 1000, 2000, 5000, 10000, 50000, 100000]) {
      const at = Math.log(size)
      if (at > this.low && at < this.high) {
        axis(size.toLocaleString("en"), this.x(size), HEIGHT - BOTTOM + 16, "middle")
      }
    }
    axis(given.xTitle, WIDTH - RIGHT, HEIGHT - 4, "end")
    axis(given.yTitle, 4, 18, "start")
    const path = this.curve.map(([step, length], at) =>
      `${at ? "L" : "M"}${this.x(given.base + step)} ${this.y(length)}`
    )
    this.svg.append(svg("path", { d: path.join(""), class: "curve" }))
    for (const point of given.points) {
      const [x, y] = [this.x(point.size), this.y(point.length)]
      this.svg.append(svg("circle", { cx: x, cy: y, r: 5, class: "point" }))
      const left = x > WIDTH * 0.75
      axis(`${point.name} ${point.length}`, x + (left ? -9 : 9), y - 7, left ? "end" : "start")
    }
    this.dot = svg("circle", { r: 7, class: "dot" })
    this.label = svg("text", { class: "dot-label" })
    this.svg.append(this.dot, this.label)
    this.node.replaceChildren(this.svg)
  }

  show(step) {
    if (!this.given) return
    let length = this.curve[0][1]
    for (const [at, now] of this.curve) if (at <= step) length = now
    const [x, y] = [this.x(this.given.base + step), this.y(length)]
    this.dot.setAttribute("cx", x)
    this.dot.setAttribute("cy", y)
    this.label.textContent = `BPE ${length}`
    this.label.setAttribute("x", x)
    this.label.setAttribute("y", y + 22 > HEIGHT - BOTTOM ? y - 12 : y + 22)
    this.label.setAttribute("text-anchor", x > WIDTH * 0.85 ? "end" : "middle")
  }
}

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [720, 230, 30, 30, 26, 40]

export default mounted(Ladder)
