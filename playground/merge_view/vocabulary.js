// The vocabulary as chips, the newest at the end.

/** @import { Round, Training } from "../browser/training.js" */
import { symbolChip } from "../browser/chips.js"
import { arrange, element } from "../browser/elements.js"
import { fill, sentence } from "../browser/words.js"
import { Pane } from "./pane.js"

const SHOWN_VOCABULARY = 48
const SHOWN_ALPHABET = 160

export class VocabularyPane extends Pane {
  /** @type {Map<number, number>} symbol -> the step that removed it last */
  gone = new Map()
  /** @type {Map<number, HTMLElement>} number of a merge -> the chip of what it made */
  learned = new Map()
  /** @type {HTMLElement[]} chips of the symbols from the start, by their ids */
  alphabet = []
  /** How many of these are not shown. */
  hidden = 0
  /** @type {HTMLElement[]} */
  specials = []

  /** @param {(rank: number) => void} go shows a merge */
  constructor(go) {
    super("vocabulary", "entries")
    this.go = go
    this.bytes = element("span", "chip base")
    this.earlier = element("span", "quiet")
  }

  /** @param {Training} training */
  reset(training) {
    super.reset(training)
    this.gone = new Map(
      training.rounds.flatMap(({ removed }, step) => removed.map((id) => [id, step])),
    )
    this.learned = new Map()
    const shown = training.bytes ? 0 : Math.min(training.base, SHOWN_ALPHABET)
    this.alphabet = Array.from({ length: shown }, (_, id) => symbolChip(training, id))
    this.hidden = training.bytes ? 0 : training.base - shown
    this.specials = training.specials.map((special) => element("span", "chip special", special))
    this.node.classList.toggle("long", training.last > SHOWN_VOCABULARY)
  }

  /**
   * @param {number} step
   * @param {Round} round
   */
  show(step, round) {
    const { training, labels } = this
    const sizes = { size: round.size, tokens: round.tokens }
    this.title.replaceChildren(...sentence(labels.vocabulary, sizes))
    const from = Math.max(0, step - SHOWN_VOCABULARY)
    const left = from + this.hidden
    this.bytes.textContent = labels.bytes
    this.earlier.textContent = fill(labels.earlier, { n: left })
    this.alphabet.forEach((chip, id) => this.mark(chip, id, step))
    /** @type {typeof this.learned} */
    const learned = new Map()
    for (let rank = from; rank < step; rank++) {
      const chip = this.learned.get(rank) ?? this.entry(rank)
      this.mark(chip, training.merges[rank].new, step)
      chip.classList.toggle("fresh", rank === step - 1)
      learned.set(rank, chip)
    }
    this.learned = learned
    const first = training.bytes ? [this.bytes] : this.alphabet
    const earlier = left ? [this.earlier] : []
    arrange(this.body, [...first, ...this.specials, ...earlier, ...learned.values()])
  }

  /** @param {number} rank */
  entry(rank) {
    const chip = symbolChip(this.training, this.training.merges[rank].new, "learned")
    chip.tabIndex = -1
    chip.onclick = () => this.go(rank)
    return chip
  }

  /**
   * @param {HTMLElement} chip
   * @param {number} id
   * @param {number} step
   */
  mark(chip, id, step) {
    chip.classList.toggle("left-out", (this.gone.get(id) ?? Infinity) <= step)
  }
}
