// What all pictures of merges share: a place in the page, a slider, cards, and what these speak of.

import { Cards } from "./cards.js"
import { element } from "./elements.js"
import { Transport } from "./transport.js"

/** A view has `show(step)`, which draws a step, and `light(event)`, for what is pointed at. */
export class Picture {
  constructor(parent, className) {
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

  /** Bring up what a card speaks of. */
  turnTo(card) {
    this.focus(card)
    if (card.step !== null && !this.transport.node.hidden) this.transport.go(card.step)
  }

  focus(card) {
    for (const node of this.root.querySelectorAll("[data-part]")) {
      node.classList.toggle("spoken-of", node.dataset.part === card?.part)
    }
  }
}
