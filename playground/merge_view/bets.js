// Which pair is next? Up to three to choose from, before the counts are shown.

/** @import { Merge, Pair, Round, Training } from "../browser/training.js" */
import { symbolChip } from "../browser/chips.js"
import { button, element } from "../browser/elements.js"
import { fill, sentence } from "../browser/words.js"

/** @typedef {{right: number, asked: number}} Score */
/**
 * @typedef {Record<
 *   "on" | "off" | "score" | "question" | "right" | "wrong" | "tied" | "rightTied" | "wrongTied" | "merge", string
 * >} BetLabels
 */

export class Bets {
  /** @type {Training} */
  training
  /** @type {BetLabels} */
  labels
  on = false
  /** @type {Map<number, boolean>} step -> whether the bet was right */
  placed = new Map()

  /**
   * @param {(score: Score) => void} tell is told each bet
   * @param {() => void} go makes the merge
   * @param {() => void} refresh draws the step again
   */
  constructor(tell, go, refresh) {
    this.tell = tell
    this.go = go
    this.refresh = refresh
    this.node = element("section", "pane bets")
    this.node.dataset.part = "bets"
  }

  /** @param {Training} training */
  reset(training) {
    this.training = training
    this.on = false
    this.placed = new Map()
  }

  /** @param {{bets: BetLabels}} labels */
  name(labels) {
    this.labels = labels.bets
  }

  get score() {
    return { right: [...this.placed.values()].filter(Boolean).length, asked: this.placed.size }
  }

  /**
   * Draw the bet of a round; return whether its counts are to stay hidden.
   * @param {number} step
   */
  ask(step) {
    /** @type {Merge | undefined} */
    const next = this.training.merges[step]
    const choices = next ? choicesOf(this.training.rounds[step], step) : []
    const bet = this.placed.get(step)
    const asking = this.on && choices.length > 1 && bet === undefined
    const drawn = [this.head()]
    if (asking) {
      const { ties } = this.training.rounds[step]
      const question = ties > 1 ? fill(this.labels.tied, { ties }) : this.labels.question
      drawn.push(element("p", "question", question), this.draw(step, choices, next))
    } else if (this.on && next) {
      if (bet !== undefined) drawn.push(this.answer(bet, next, this.training.rounds[step].ties))
      drawn.push(button(this.labels.merge, this.go, "merge-it"))
    }
    this.node.replaceChildren(...drawn)
    return asking
  }

  /** @returns {HTMLElement} */
  head() {
    const turn = () => {
      this.on = !this.on
      this.refresh()
    }
    const toggle = button(this.on ? this.labels.off : this.labels.on, turn, "toggle")
    toggle.setAttribute("aria-pressed", String(this.on))
    const head = element("div", "bet-head")
    head.append(toggle)
    const { score } = this
    if (score.asked) head.append(element("span", "quiet", fill(this.labels.score, score)))
    return head
  }

  /**
   * @param {boolean} right
   * @param {Merge} next
   * @param {number} ties
   */
  answer(right, next, ties) {
    const answer = element("p", "answer")
    const { labels } = this
    const counted = right ? labels.right : labels.wrong
    const ruled = right ? labels.rightTied : labels.wrongTied
    const said = sentence(ties > 1 ? ruled : counted, {
      ties,
      left: symbolChip(this.training, next.left),
      right: symbolChip(this.training, next.right),
      count: next.count,
    })
    answer.append(right ? "✓ " : "✗ ", ...said)
    return answer
  }

  /**
   * @param {number} step
   * @param {readonly Pair[]} choices
   * @param {Pair} next
   */
  draw(step, choices, next) {
    const all = element("div", "choices")
    for (const pair of choices) {
      const place = () => {
        this.placed.set(step, pair.left === next.left && pair.right === next.right)
        this.tell(this.score)
        this.refresh()
        const merge = this.node.querySelector(".merge-it")
        if (merge instanceof HTMLElement) merge.focus({ preventScroll: true })
      }
      const choice = button("", place, "choice")
      choice.append(symbolChip(this.training, pair.left), symbolChip(this.training, pair.right))
      all.append(choice)
    }
    return all
  }
}

/**
 * The pair to be merged and two others, in an order that tells nothing: those that are as frequent,
 * which the rule for ties passes over, or else the next ones.
 * @param {Round} round
 * @param {number} step
 */
export function choicesOf({ pairs }, step) {
  const [first, ...others] = pairs
  const tied = others.filter((pair) => pair.count === first.count)
  const three = [first, ...(tied.length ? tied : others).slice(0, 2)]
  const turn = (step * 7 + 1) % three.length
  return [...three.slice(turn), ...three.slice(0, turn)]
}
