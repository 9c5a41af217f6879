// The most frequent pairs as bars.

/** @import { Counted, Merge, Pair, Round, Training } from "../browser/training.js" */
/** @import { PaneLabels } from "./pane.js" */
import { symbolChip } from "../browser/chips.js"
import { arrange, element, Meanings } from "../browser/elements.js"
import { pairKey } from "../browser/training.js"
import { number } from "../browser/words.js"
import { Pane } from "./pane.js"

/** The pair that a row stands for. @type {Meanings<Counted>} */
export const pairs = new Meanings()

export class PairsPane extends Pane {
  /** @type {Map<number, PairRow>} those drawn last */
  rows = new Map()

  constructor() {
    super("pairs", "bars")
  }

  /**
   * Make room for the longest list there will be, so that nothing below it moves.
   * @param {Training} training
   */
  reset(training) {
    super.reset(training)
    this.rows = new Map()
    const lengths = training.rounds.map((round, step) => round.pairs.length + (step ? 1 : 0))
    this.body.style.setProperty("--rows", String(Math.max(...lengths)))
  }

  /** @param {PaneLabels} labels */
  name(labels) {
    this.title.textContent = labels.pairs
  }

  /**
   * @param {Round} round
   * @param {Merge | null} merged
   * @param {Pair | null} next
   * @param {boolean} hidden
   */
  show(round, merged, next, hidden) {
    this.node.hidden = hidden
    if (hidden) return
    const most = Math.max(1, merged?.count ?? 0, ...round.pairs.map((pair) => pair.count))
    /** @type {typeof this.rows} */
    const rows = new Map()
    const add = (/** @type {Counted} */ pair, /** @type {string} */ className) => {
      const key = pairKey(pair.left, pair.right)
      const row = this.rows.get(key) ?? new PairRow(this.training, pair)
      row.draw(pair, most, className)
      rows.set(key, row)
    }
    if (merged) add({ ...merged, count: 0, before: merged.count }, "gone")
    round.pairs.forEach((pair, at) => {
      const tied = round.ties > 1 && pair.count === round.pairs[0].count
      add(pair, next && at === 0 ? "winner" : tied ? "tied" : "")
    })
    this.rows = rows
    arrange(this.body, [...rows.values()].map((row) => row.node))
  }
}

/** A pair with its count as a bar, and the count before the last merge. */
class PairRow {
  /**
   * @param {Training} training
   * @param {Pair} pair
   */
  constructor(training, { left, right }) {
    const name = element("span", "pair")
    name.append(symbolChip(training, left), symbolChip(training, right))
    this.bar = element("span", "fill")
    this.before = element("span", "before")
    const track = element("span", "track")
    track.append(this.bar, this.before)
    this.earlier = element("span", "quiet")
    this.count = element("span")
    const numbers = element("span", "number")
    numbers.append(this.earlier, this.count)
    this.node = element("div")
    this.node.append(name, track, numbers)
  }

  /**
   * @param {Counted} pair
   * @param {number} most
   * @param {string} className
   */
  draw(pair, most, className) {
    const { count, before } = pair
    pairs.set(this.node, pair)
    this.node.className = `bar-row ${className}`
    this.bar.style.transform = `scaleX(${count / most})`
    const earlier = before && before !== count ? before : null
    this.before.hidden = earlier === null
    if (earlier !== null) this.before.style.transform = `scaleX(${earlier / most})`
    const text = earlier === null ? "" : `${number(earlier)} → `
    if (this.earlier.textContent !== text) this.earlier.textContent = text
    const now = number(count)
    if (this.count.textContent !== now) this.count.textContent = now
  }
}
