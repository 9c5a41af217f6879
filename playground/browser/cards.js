// A few cards of text beside a picture; the one on top highlights the part that it speaks of.

import { button, element } from "./elements.js"

export class Cards {
  /** `chosen(card)` is called when another card comes up. */
  constructor(chosen) {
    this.chosen = chosen
    this.node = element("section", "cards")
    this.at = 0
  }

  draw(cards, words) {
    this.node.hidden = !cards.length
    const language = JSON.stringify([cards, words])
    if (language === this.language) return
    this.language = language
    this.cards = cards
    this.words = words
    this.at = Math.min(this.at, Math.max(0, cards.length - 1))
    if (cards.length) this.show()
  }

  show() {
    const card = this.cards[this.at]
    const text = element("p", "said")
    text.append(...marked(card.text))
    text.setAttribute("aria-live", "polite")
    const to = (label, step) => {
      const made = button(label, () => {
        this.at += step
        this.show()
        this.chosen(this.cards[this.at])
        this.node.querySelector(step > 0 ? ".next" : ".previous")?.focus({ preventScroll: true })
      })
      made.disabled = !this.cards[this.at + step]
      made.className = step > 0 ? "next" : "previous"
      return made
    }
    const turn = element("div", "turn")
    const place = element("span", "quiet", `${this.at + 1} / ${this.cards.length}`)
    turn.append(to(this.words.previous, -1), place, to(this.words.next, 1))
    this.node.replaceChildren(text, turn)
  }
}

/** A text in which `code` and **what matters** are marked, as nodes. */
function marked(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith("`")) return element("code", "", part.slice(1, -1))
    return part.startsWith("**") ? element("b", "", part.slice(2, -2)) : part
  })
}
