// Watch merges: the words as chips, the pairs as bars, the vocabulary, and a slider through them.
// Every step is worked out here; Python is told of bets only.

/** @import { Card } from "../browser/cards.js" */
/** @import { Code, CodeWords } from "../browser/code.js" */
/** @import { Counted, Merge, Pair, Round, TrainingData } from "../browser/training.js" */
/** @import { TransportWords } from "../browser/transport.js" */
/** @import { BetLabels } from "./bets.js" */
/** @import { PaneLabels } from "./pane.js" */
import { symbolChip, symbols } from "../browser/chips.js"
import { element, mounted } from "../browser/elements.js"
import { Picture } from "../browser/picture.js"
import { Training } from "../browser/training.js"
import { encode, hex } from "../browser/utf8.js"
import { number, sentence } from "../browser/words.js"
import { Bets } from "./bets.js"
import { pairs, PairsPane } from "./pairs.js"
import { VocabularyPane } from "./vocabulary.js"
import { WordsPane } from "./words.js"

const SHOWN_COUNTS = 4

/** @typedef {PaneLabels & {transport: TransportWords, bets: BetLabels, code: CodeWords}} Labels */
/**
 * @typedef {TrainingData & {
 *   name: string, version: string, step: number, cards: Card[], bets: boolean, height: number,
 *   code: Code | null, labels: Labels,
 * }} Data
 */

/** Where the pictures that were left stand, by their names. @type {Map<string, {from: string, step: number}>} */
const left = new Map()

/** What a step belongs to: a training, and where Python says that it stands. @param {Data} data */
const beginning = ({ version, step }) => `${version} ${step}`

/** @extends {Picture<Data>} */
class MergeView extends Picture {
  /** @type {Data} */
  data
  /** @type {Training} */
  training
  version = ""
  /** What is written, to be written again when the language changes. */
  language = ""
  step = 0
  /** @type {{pair: Counted} | {symbol: number} | null} what is pointed at */
  lit = null

  /** @param {HTMLElement | ShadowRoot} parent */
  constructor(parent) {
    super(parent, "merges")
    this.rule = element("div", "rule")
    this.rule.dataset.part = "rule"
    this.rule.setAttribute("aria-live", "polite")
    this.words = new WordsPane()
    this.pairs = new PairsPane()
    this.vocabulary = new VocabularyPane((rank) => this.transport.go(rank + 1))
    this.bets = new Bets(
      (score) => this.setStateValue("score", score),
      () => this.transport.go(this.step + 1),
      () => this.show(this.step),
    )
    this.status = element("p", "status quiet")
    const panes = element("div", "panes")
    const side = element("div", "side")
    side.append(this.bets.node, this.pairs.node, this.vocabulary.node)
    const main = element("div", "main")
    main.append(this.words.node, this.code.node)
    panes.append(main, side)
    this.root.append(this.player, this.rule, panes, this.status, this.cards.node)
    // Where a link finds the place of the slider.
    this.host = parent instanceof ShadowRoot ? parent.host : parent
  }

  /** @param {Data} data */
  update(data) {
    const fresh = data.version !== this.version
    const language = JSON.stringify(data.labels)
    const parts = [this.words, this.pairs, this.vocabulary, this.bets]
    this.data = data
    if (fresh) {
      this.version = data.version
      this.training = new Training(data)
      const before = left.get(data.name)
      const step = before?.from === beginning(data) ? before.step : data.step
      this.step = Math.min(step, this.training.last)
      this.transport.reset(this.training.last, this.step)
      for (const part of parts) part.reset(this.training)
    }
    this.root.classList.toggle("of-bytes", this.training.bytes)
    this.root.style.setProperty("--height", `${data.height}px`)
    this.tell(data.cards, data.labels.transport)
    if (fresh || language !== this.language) {
      this.language = language
      for (const part of parts) part.name(data.labels)
      this.bets.node.hidden = !data.bets
      this.show(this.step)
    }
    this.drawCode(data.code, data.labels.code)
    this.focus(this.cards.top)
  }

  /** @param {number} step */
  show(step) {
    const forward = step === this.step + 1
    this.step = step
    if (!this.data.cards.length) left.set(this.data.name, { from: beginning(this.data), step })
    this.host.setAttribute("data-step-of", this.data.name)
    this.host.setAttribute("data-version", this.version)
    this.host.setAttribute("data-step", String(step))
    this.root.classList.toggle("still", !forward)
    const { training } = this
    const round = training.rounds[step]
    const merged = step > 0 ? training.merges[step - 1] : null
    const next = training.merges[step] ?? null
    const hidden = this.data.bets && this.bets.ask(step)
    this.words.show(step, round, merged, hidden ? null : next, forward)
    this.pairs.show(round, merged, next, hidden)
    this.vocabulary.show(step, round)
    this.say(step, round, merged, hidden ? null : next)
    this.code.node.hidden = hidden || !this.data.code
    this.relight()
  }

  /** @param {string} part */
  gives(part) {
    const { training, step } = this
    const round = training.rounds[step]
    const next = training.merges[step]
    const chip = (/** @type {number} */ symbol) => symbolChip(training, symbol)
    if (part === "pairs") {
      const counts = round.pairs.slice(0, SHOWN_COUNTS).flatMap(({ left, right, count }) => [
        chip(left),
        chip(right),
        `: ${number(count)}, `,
      ])
      return ["counts = {", ...counts, "…}"]
    }
    if (part === "words") {
      return [
        `${number(training.rounds[step - 1]?.tokens ?? round.tokens)} → ${number(round.tokens)}`,
      ]
    }
    if (!next) return []
    if (part === "rule") return ["pair = ", chip(next.left), " ", chip(next.right)]
    return ["vocabulary += ", chip(next.new)]
  }

  /**
   * Say in two lines which pair was merged and which is next.
   * @param {number} step
   * @param {Round} round
   * @param {Merge | null} merged
   * @param {Merge | null} next
   */
  say(step, round, merged, next) {
    const { training } = this
    const { labels } = this.data
    const line = (
      /** @type {string} */ name,
      /** @type {string} */ template,
      /** @type {Parameters<typeof sentence>[1]} */ values = {},
    ) => {
      const node = element("p", name)
      node.append(...sentence(template, { step, ...values }))
      return node
    }
    const ofPair = (/** @type {Pair} */ { left, right, count }) => ({
      left: symbolChip(training, left),
      right: symbolChip(training, right),
      count,
    })
    const lines = []
    if (merged) {
      const made = symbolChip(training, merged.new, "fresh")
      lines.push(line("done", labels.done, { ...ofPair(merged), new: made }))
    } else lines.push(line("done", training.bytes ? labels.startBytes : labels.startCharacters))
    if (round.removed.length) {
      const removed = element("span", "removed")
      removed.append(...round.removed.map((id) => symbolChip(training, id)))
      lines.push(line("gone", labels.removed, { removed }))
    }
    if (next && round.ties > 1) {
      lines.push(line("next", labels.nextTied, { ...ofPair(next), ties: round.ties }))
    } else if (next) lines.push(line("next", labels.next, ofPair(next)))
    else if (step === training.last) {
      lines.push(line("next", round.pairs.length ? labels.stopped : labels.exhausted))
    }
    this.rule.replaceChildren(...lines)
  }

  // What is under the pointer lights up everywhere

  /** @param {Element} chip */
  madeBy(chip) {
    const made = this.training.madeBy.get(symbols.get(chip) ?? -1)
    return made === undefined ? undefined : made + 1
  }

  /** @param {Event | null} event */
  light(event) {
    const pair = pairs.at(event)
    const symbol = symbols.at(event)
    this.lit = pair ? { pair } : symbol === undefined ? null : { symbol }
    this.relight()
  }

  relight() {
    for (const chip of this.root.querySelectorAll(".lit")) chip.classList.remove("lit")
    this.transport.mark(null)
    const { lit } = this
    const { hint } = this.data.labels
    if (!lit) {
      if (this.status.textContent !== hint) this.status.textContent = hint
    } else if ("pair" in lit) this.lightPair(lit.pair)
    else this.lightSymbol(lit.symbol)
  }

  /** @param {Counted} pair */
  lightPair({ left, right, count }) {
    for (const chip of this.words.node.querySelectorAll(".chip")) {
      const other = chip.nextElementSibling
      if (symbols.get(chip) !== left || symbols.get(other) !== right) continue
      chip.classList.add("lit")
      other?.classList.add("lit")
    }
    const { training } = this
    const chips = { left: symbolChip(training, left), right: symbolChip(training, right), count }
    this.status.replaceChildren(...sentence(this.data.labels.pairLine, chips))
  }

  /** @param {number} symbol */
  lightSymbol(symbol) {
    const { training } = this
    const { labels } = this.data
    for (const chip of this.root.querySelectorAll(".chip")) {
      if (symbols.get(chip) === symbol) chip.classList.add("lit")
    }
    const made = training.madeBy.get(symbol)
    this.transport.mark(made === undefined ? null : made + 1)
    const spelled = training.spelling[symbol]
    const bytes = typeof spelled === "string" ? encode(spelled) : spelled
    const values = { symbol: symbolChip(training, symbol), id: symbol, bytes: hex(bytes) }
    if (made === undefined) {
      this.status.replaceChildren(...sentence(labels.baseLine, values))
      return
    }
    const { left, right } = training.merges[made]
    const parts = { left: symbolChip(training, left), right: symbolChip(training, right) }
    const said = sentence(labels.symbolLine, { ...values, ...parts, step: made + 1 })
    this.status.replaceChildren(...said)
  }
}

export default mounted(MergeView)
