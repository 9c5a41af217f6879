// What all pictures of merges share: a place in the page, a slider, cards, and what these speak of.

/** @import { Card } from "./cards.js" */
import { Cards } from "./cards.js"
import { element, View } from "./elements.js"
import { Transport } from "./transport.js"

/**
 * A picture overrides `show`, which draws a step, and `light`, for what is pointed at.
 * @template Data
 * @extends {View<Data>}
 */
export class Picture extends View {
  /**
   * @param {HTMLElement | ShadowRoot} parent
   * @param {string} className
   */
  constructor(parent, className) {
    super()
    this.root = element("div", `view ${className}`)
    parent.append(this.root)
    this.cards = new Cards((card) => this.turnTo(card))
    this.transport = new Transport((step) => this.show(step))
    this.root.addEventListener("keydown", (event) => {
      if (!this.transport.node.hidden) this.transport.press(event)
    })
    this.root.addEventListener("pointerover", (event) => this.light(event))
    this.root.addEventListener("pointerleave", () => this.light(null))
    this.root.addEventListener("focusin", (event) => this.light(event))
  }

  destroy() {
    this.transport.destroy()
    this.root.remove()
  }

  /** @param {number} _step */
  show(_step) {}

  /** @param {Event | null} _event */
  light(_event) {}

  /**
   * Bring up what a card speaks of.
   * @param {Card} card
   */
  turnTo(card) {
    this.focus(card)
    if (card.step !== null && !this.transport.node.hidden) this.transport.go(card.step)
  }

  /** @param {Card | undefined} card */
  focus(card) {
    for (const node of this.root.querySelectorAll("[data-part]")) {
      node.classList.toggle("spoken-of", node.getAttribute("data-part") === card?.part)
    }
  }
}
