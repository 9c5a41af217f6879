// Ten merges by hand: press a symbol, and it joins its right neighbour wherever the two stand. BPE
// keeps pace on the chart. Python is told of the merges when they are handed in.

/** @import { TransportWords } from "../../browser/transport.js" */
import { button, element, focusedBeside, HUES, Meanings, mounted } from "../../browser/elements.js"
import { glyphOf } from "../../browser/glyphs.js"
import { Picture } from "../../browser/picture.js"
import { mergePair } from "../../browser/training.js"
import { fill } from "../../browser/words.js"
import { chartOf } from "./chart.js"

const NARROWEST = 320 // px

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

export default mounted(Hand)
