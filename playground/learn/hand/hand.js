// Ten merges by hand: press a symbol, and it joins its right neighbour wherever the two stand. BPE
// keeps pace on the chart. Python is told of the merges when they are handed in.

/** @import { TransportWords } from "../../browser/transport.js" */
import {
  button,
  element,
  focusedBeside,
  HUES,
  Meanings,
  mounted,
  svg,
} from "../../browser/elements.js"
import { glyphOf } from "../../browser/glyphs.js"
import { Picture } from "../../browser/picture.js"
import { mergePair } from "../../browser/training.js"
import { fill } from "../../browser/words.js"

const NARROWEST = 320 // px
const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [190, 40, 70, 16, 26] // of the chart

/** @typedef {[string, string]} Pair */
/**
 * What Python sends: the pieces of the text in symbols, its bytes, how many symbols it has after
 * each merge of BPE, and the most merges that there may be.
 * @typedef {{
 *   version: string, pieces: string[][], bytes: number, merges: Pair[], machine: number[],
 *   most: number,
 *   labels: {transport: TransportWords} & Record<
 *     "hint" | "pair" | "score" | "full" | "handIn" | "mine" | "alt", string
 *   >,
 * }} Data
 */

/** A symbol and its right neighbour. @type {Meanings<Pair>} */
const pairs = new Meanings()

/** @extends {Picture<Data>} */
class Hand extends Picture {
  /** @type {Data} */
  data
  version = ""
  /** @type {Pair[]} */
  merges = []
  /** @type {HTMLButtonElement[]} */
  chips = []

  /** @param {HTMLElement | ShadowRoot} parent */
  constructor(parent) {
    super(parent, "hand")
    this.text = element("div", "hand-text")
    this.said = element("p", "said-now")
    this.said.setAttribute("aria-live", "polite")
    this.status = element("p", "status quiet")
    this.chart = element("div", "hand-chart")
    const tell = () => this.setStateValue("merges", this.merges.slice(0, this.transport.step))
    this.handIn = button("", tell, "hand-in")
    const { root, player, text, status, said, chart, handIn } = this
    root.append(player, text, status, said, handIn, chart)
    new ResizeObserver(() => this.data && this.show(this.transport.step)).observe(chart)
  }

  /** @param {Data} data */
  update(data) {
    this.data = data
    if (data.version !== this.version) {
      this.version = data.version
      this.merges = data.merges.slice(0, data.most)
      this.transport.reset(this.merges.length, this.merges.length)
    }
    this.tell([], data.labels.transport)
    this.handIn.textContent = data.labels.handIn
    this.show(this.transport.step)
  }

  /**
   * The pieces of the text after the first `step` of one's own merges.
   * @param {number} step
   */
  cut(step) {
    let { pieces } = this.data
    for (const [left, right] of this.merges.slice(0, step)) {
      pieces = pieces.map((piece) => mergePair(piece, left, right, left + right))
    }
    return pieces
  }

  /**
   * @param {string} left
   * @param {string} right
   */
  merge(left, right) {
    const { step } = this.transport
    if (step >= this.data.most) return
    this.merges = [...this.merges.slice(0, step), [left, right]]
    this.transport.reset(this.merges.length, this.merges.length)
    this.show(this.merges.length)
  }

  /** @param {number} step */
  show(step) {
    const { bytes, most, machine, labels } = this.data
    const focused = this.chips.findIndex((chip) => chip === focusedBeside(this.root))
    this.drawText(step)
    if (focused >= 0) {
      this.chips[Math.min(focused, this.chips.length - 1)]?.focus({ preventScroll: true })
    }
    const rate = (/** @type {number} */ length) => bytes / length
    const mine = Array.from({ length: step + 1 }, (_, at) => rate(this.cut(at).flat().length))
    const its = machine.map(rate)
    const now = Math.min(step, its.length - 1)
    const score = { step, mine: mine[step].toFixed(2), machine: its[now].toFixed(2) }
    this.said.textContent = fill(labels.score, score) + (step >= most ? ` ${labels.full}` : "")
    this.handIn.disabled = step < Math.min(most, machine.length - 1)
    const high = Math.max(its[its.length - 1], ...mine) * 1.05
    const chart = chartOf(
      [
        { className: "machine", label: "BPE", rates: its.slice(0, step + 1) },
        { className: "mine", label: labels.mine, rates: mine },
      ],
      its[0],
      high,
      most,
      labels.alt,
      Math.max(this.chart.clientWidth, NARROWEST),
    )
    this.chart.replaceChildren(chart)
    this.light(null)
  }

  /** @param {number} step */
  drawText(step) {
    const made = this.merges.slice(0, step).map((pair) => pair.join(""))
    this.chips = []
    const pieces = this.cut(step).map((piece) => {
      const node = element("span", "piece-of")
      piece.forEach((symbol, at) => {
        const right = piece[at + 1]
        const merge = made.lastIndexOf(symbol)
        const hue = merge < 0 ? "base" : `hue${merge % HUES}`
        const chip = button("", () => this.merge(symbol, right), `chip ${hue}`)
        chip.append(...Array.from(symbol, glyphOf))
        chip.disabled = right === undefined || step >= this.data.most
        if (right !== undefined) pairs.set(chip, [symbol, right])
        this.chips.push(chip)
        node.append(chip)
      })
      return node
    })
    this.text.replaceChildren(...pieces)
  }

  /** @param {Event | null} event */
  light(event) {
    const { hint, pair: template } = this.data.labels
    const pair = pairs.at(event)
    for (const chip of this.chips) chip.classList.remove("lit")
    this.status.textContent = hint
    if (!pair) return
    let count = 0
    for (const chip of this.chips) {
      if (pairs.get(chip)?.join("\0") !== pair.join("\0")) continue
      count++
      chip.classList.add("lit")
      chip.nextElementSibling?.classList.add("lit")
    }
    const [left, right] = pair.map((symbol) => Array.from(symbol, glyphOf).join(""))
    this.status.textContent = fill(template, { left, right, count })
  }
}

/** @typedef {{className: "mine" | "machine", label: string, rates: readonly number[]}} Line */

/**
 * A chart of the bytes per symbol after each merge.
 * @param {readonly Line[]} lines
 * @param {number} low the rate before the first merge
 * @param {number} high
 * @param {number} most how many merges there may be
 * @param {string} alt
 * @param {number} width
 */
function chartOf(lines, low, high, most, alt, width) {
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

export default mounted(Hand)
