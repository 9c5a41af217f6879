// A few cards of text beside a picture; the one on top highlights the part that it speaks of.

/** @import { TransportWords } from "./transport.js" */
import { button, element } from "./elements.js"

/**
 * A few sentences, the part of the picture that they speak of, and the step to show with them.
 * @typedef {{text: string, part: string, step: number | null}} Card
 */

export class Cards {
  /** @type {readonly Card[]} */
  cards = []
  /** What is written on it, to be drawn again when it changes. */
  language = ""

  /** @param {(card: Card) => void} chosen is called when another card comes up */
  constructor(chosen) {
    this.chosen = chosen
    this.node = element("section", "cards")
    this.at = 0
  }

  /** The card on top. @returns {Card | undefined} */
  get top() {
    return this.cards[this.at]
  }

  /**
   * @param {readonly Card[]} cards
   * @param {TransportWords} words
   */
  draw(cards, words) {
    this.node.hidden = !cards.length
    const language = JSON.stringify([cards, words])
    if (language === this.language) return
    this.language = language
    this.cards = cards
    this.at = Math.min(this.at, Math.max(0, cards.length - 1))
    if (cards.length) this.show(words)
  }

  /** @param {TransportWords} words */
  show(words) {
    const card = this.cards[this.at]
    const text = element("p", "said")
    text.append(...marked(card.text))
    text.setAttribute("aria-live", "polite")
    const to = (/** @type {string} */ label, /** @type {1 | -1} */ step) => {
      const made = button(label, () => {
        this.at += step
        this.show(words)
        this.chosen(this.cards[this.at])
        const again = this.node.querySelector(step > 0 ? ".next" : ".previous")
        if (again instanceof HTMLElement) again.focus({ preventScroll: true })
      })
      made.disabled = !this.cards[this.at + step]
      made.className = step > 0 ? "next" : "previous"
      return made
    }
    const turn = element("div", "turn")
    const place = element("span", "quiet", `${this.at + 1} / ${this.cards.length}`)
    turn.append(to(words.previous, -1), place, to(words.next, 1))
    this.node.replaceChildren(text, turn)
  }
}

/**
 * A text in which `code` and **what matters** are marked, as nodes.
 * @param {string} text
 */
function marked(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith("`")) return element("code", "", part.slice(1, -1))
    return part.startsWith("**") ? element("b", "", part.slice(2, -2)) : part
  })
}
