// Ten merges by hand: press a symbol, and it joins its right neighbour wherever the two stand. BPE
// keeps pace on the chart. Python hears of it when the merges are handed in.

import { HUES } from "../../browser/row.js"
import { button, element, mounted } from "../../browser/elements.js"
import { glyphOf } from "../../browser/glyphs.js"
import { Picture } from "../../browser/picture.js"
import { mergePair } from "../../browser/training.js"
import { fill } from "../../browser/words.js"

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [520, 190, 40, 70, 16, 26]

class Hand extends Picture {
  constructor(parent) {
    super(parent, "hand")
    this.text = element("div", "hand-text")
    this.said = element("p", "said-now")
    this.said.setAttribute("aria-live", "polite")
    this.status = element("p", "status quiet")
    this.chart = element("div", "hand-chart")
    this.handIn = button(
      "",
      () => this.setStateValue("merges", this.merges.slice(0, this.transport.step)),
    )
    this.handIn.className = "hand-in"
    this.root.append(
      this.transport.node,
      this.text,
      this.status,
      this.said,
      this.chart,
      this.handIn,
    )
  }

  update(data) {
    this.data = data
    if (data.version !== this.version) {
      this.version = data.version
      this.merges = data.merges.slice(0, data.most)
      this.transport.reset(this.merges.length, this.merges.length)
    }
    this.transport.name(data.labels.transport)
    this.handIn.textContent = data.labels.handIn
    this.show(this.transport.step)
  }

  /** The pieces of the text after the first `step` of one's own merges. */
  cut(step) {
    return this.merges
      .slice(0, step)
      .reduce(
        (pieces, [left, right]) =>
          pieces.map((piece) => mergePair(piece, left, right, left + right)),
        this.data.pieces,
      )
  }

  merge(left, right) {
    const { step } = this.transport
    if (step >= this.data.most) return
    this.merges = [...this.merges.slice(0, step), [left, right]]
    this.transport.reset(this.merges.length, this.merges.length)
    this.show(this.merges.length)
  }

  show(step) {
    const { data } = this
    const hues = new Map(this.merges.slice(0, step).map(([left, right], at) => [left + right, at]))
    const focused = this.root.getRootNode().activeElement?.number
    let number = 0
    const pieces = this.cut(step)
    this.text.replaceChildren(
      ...pieces.map((piece) => {
        const node = element("span", "piece-of")
        node.append(
          ...piece.map((symbol, at) => {
            const right = piece[at + 1]
            const chip = button("", () => this.merge(symbol, right))
            chip.append(...Array.from(symbol, glyphOf))
            chip.className = `chip ${hues.has(symbol) ? `hue${hues.get(symbol) % HUES}` : "base"}`
            chip.disabled = right === undefined || step >= data.most
            chip.pair = right === undefined ? null : [symbol, right]
            chip.number = number++
            return chip
          }),
        )
        return node
      }),
    )
    if (focused !== undefined) {
      this.chips()[Math.min(focused, number - 1)]?.focus({ preventScroll: true })
    }
    const rate = (length) => data.bytes / length
    this.mine = Array.from({ length: step + 1 }, (_, at) => rate(this.cut(at).flat().length))
    this.machine = data.machine.slice(0, step + 1).map(rate)
    const score = {
      step,
      mine: this.mine.at(-1).toFixed(2),
      machine: this.machine.at(-1).toFixed(2),
    }
    this.said.textContent = fill(data.labels.score, score) +
      (step >= data.most ? ` ${data.labels.full}` : "")
    this.handIn.disabled = step < Math.min(data.most, data.machine.length - 1)
    this.draw()
    this.light(null)
  }

  chips() {
    return [...this.text.querySelectorAll(".chip")]
  }

  light(event) {
    const pair = (event?.composedPath() ?? []).find((node) => node.pair)?.pair
    const chips = this.chips()
    for (const chip of chips) chip.classList.remove("lit")
    this.status.textContent = this.data.labels.hint
    if (!pair) return
    let count = 0
    for (const chip of chips) {
      if (chip.pair?.[0] !== pair[0] || chip.pair[1] !== pair[1]) continue
      count++
      chip.classList.add("lit")
      chip.nextElementSibling.classList.add("lit")
    }
    const [left, right] = pair.map((symbol) => Array.from(symbol, glyphOf).join(""))
    this.status.textContent = fill(this.data.labels.pair, { left, right, count })
  }

  draw() {
    const { labels, machine, most, bytes } = this.data
    const low = bytes / machine[0]
    const high = Math.max(bytes / machine.at(-1), ...this.mine) * 1.05
    const x = (step) => LEFT + (step / most) * (WIDTH - LEFT - RIGHT)
    const y = (rate) => TOP + (1 - (rate - low) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM)
    const node = (tag, attributes, text) => {
      const made = document.createElementNS("http://www.w3.org/2000/svg", tag)
      for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
      if (text !== undefined) made.textContent = text
      return made
    }
    const picture = node("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": labels.alt,
    })
    const bottom = HEIGHT - BOTTOM
    picture.append(
      node("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: bottom, y2: bottom, class: "rule-line" }),
    )
    for (let step = 0; step <= most; step += 2) {
      picture.append(
        node("text", { x: x(step), y: HEIGHT - 8, class: "axis", "text-anchor": "middle" }, step),
      )
    }
    for (const rate of [low, high / 1.05]) {
      picture.append(
        node(
          "text",
          { x: LEFT - 6, y: y(rate) + 4, class: "axis", "text-anchor": "end" },
          rate.toFixed(2),
        ),
      )
    }
    for (
      const [name, rates, label] of [["machine", this.machine, "BPE"], [
        "mine",
        this.mine,
        labels.mine,
      ]]
    ) {
      const path = rates.map((rate, step) => `${step ? "L" : "M"}${x(step)} ${y(rate)}`).join("")
      const [atX, atY] = [x(rates.length - 1), y(rates.at(-1))]
      picture.append(
        node("path", { d: path, class: name }),
        node("circle", { cx: atX, cy: atY, r: 5, class: `${name}-dot` }),
        node("text", { x: atX + 9, y: atY + (name === "mine" ? -6 : 14), class: "label" }, label),
      )
    }
    this.chart.replaceChildren(picture)
  }
}

export default mounted(Hand)
