// The words as chips, as they are cut now.

/** @import { Merge, Pair, Round, Training, Word } from "../browser/training.js" */
/** @import { PaneLabels } from "./pane.js" */
import { wordChip } from "../browser/chips.js"
import { arrange, element } from "../browser/elements.js"
import { fill, number } from "../browser/words.js"
import { Pane } from "./pane.js"

const FEW_WORDS = 150 // up to here all words are shown
const SHOWN_CHANGED = 12 // beyond, those that the merge changes,
const SHOWN_FREQUENT = 24 // and the most frequent
const SHOWN_SYMBOLS = 160 // of the words that a merge changes

export class WordsPane extends Pane {
  /** @type {Map<string, WordRow>} the rows drawn last */
  rows = new Map()
  /** @type {number[]} the numbers of the words that are always shown */
  frequent = []
  /** Whether these are all words. */
  all = true

  constructor() {
    super("words", "body")
    this.body.tabIndex = -1
    this.changedTitle = element("p", "quiet small")
    this.frequentTitle = element("p", "quiet small")
  }

  /** @param {Training} training */
  reset(training) {
    super.reset(training)
    this.rows = new Map()
    const { words } = training
    this.all = words.length <= FEW_WORDS
    const order = words.map((_, index) => index)
    this.frequent = this.all ? order : order
      .filter((index) => words[index].first.length > 1)
      .sort((one, other) => words[other].count - words[one].count)
      .slice(0, SHOWN_FREQUENT)
  }

  /** @param {PaneLabels} labels */
  name(labels) {
    super.name(labels)
    this.title.textContent = labels.words
    this.frequentTitle.textContent = labels.frequent
  }

  /**
   * @param {number} step
   * @param {Round} round
   * @param {Merge | null} merged
   * @param {Pair | null} next
   * @param {boolean} animate
   */
  show(step, round, merged, next, animate) {
    const row = (/** @type {number} */ index, /** @type {string} */ list) => {
      const key = `${list} ${index}`
      const drawn = this.rows.get(key) ?? new WordRow(this.training.words[index])
      this.rows.set(key, drawn)
      drawn.draw(step, merged, next, animate)
      return drawn
    }
    const rows = this.frequent.map((index) => row(index, "frequent").node)
    if (this.all) return arrange(this.body, rows)
    /** @type {Node[]} */
    const changed = []
    let symbols = 0
    for (const index of round.changed.slice(0, SHOWN_CHANGED)) {
      if (symbols > SHOWN_SYMBOLS) break
      const { node, chips } = row(index, "changed")
      changed.push(node)
      symbols += chips.childNodes.length
    }
    this.changedTitle.textContent = fill(this.labels.changed, { total: round.changedTotal })
    arrange(this.body, [this.changedTitle, ...changed, this.frequentTitle, ...rows])
  }
}

/** A word, drawn anew only where its cut or its marks have changed. */
class WordRow {
  #drawn = ""

  /** @param {Word} word */
  constructor(word) {
    this.word = word
    this.node = element("div", "word")
    this.chips = element("span", "chips")
    this.node.append(this.chips)
    if (word.count > 1) this.node.append(element("span", "times", `×${number(word.count)}`))
  }

  /**
   * @param {number} step
   * @param {Merge | null} merged
   * @param {Pair | null} next
   * @param {boolean} animate
   */
  draw(step, merged, next, animate) {
    const { word } = this
    const symbols = word.cut(step)
    const marks = marksOf(symbols, merged, next)
    const drawn = `${symbols.join()}/${marks.join()}`
    if (this.#drawn === drawn) return
    this.#drawn = drawn
    let at = 0
    const chips = symbols.map((symbol, i) => {
      const chip = wordChip(word, symbol, at)
      at += word.training.spelling[symbol].length
      chip.classList.add(...marks[i])
      if (animate && marks[i].includes("fresh")) chip.classList.add("joining")
      return chip
    })
    this.chips.replaceChildren(...chips, ...(word.long ? [element("span", "quiet", "…")] : []))
  }
}

/**
 * For each symbol: just made, or to be merged next with its neighbour.
 * @param {readonly number[]} symbols
 * @param {{new: number} | null} merged
 * @param {{left: number, right: number} | null} next
 */
export function marksOf(symbols, merged, next) {
  const marks = symbols.map((symbol) => (merged && symbol === merged.new ? ["fresh"] : []))
  for (let at = 0; next && at + 1 < symbols.length; at++) {
    if (symbols[at] !== next.left || symbols[at + 1] !== next.right) continue
    marks[at].push("next-left")
    marks[at + 1].push("next-right")
    at++
  }
  return marks
}
