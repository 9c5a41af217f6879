// The button that opens and closes the settings on a phone. What is open stands in an attribute of
// the document, by which the page's style knows it.

import { button, mounted, View } from "../../browser/elements.js"

/** What the button says. @typedef {{open: string, close: string}} Words */

/** @extends {View<Words>} */
class Drawer extends View {
  /** @type {Words} */
  words
  page = document.documentElement

  /** @param {HTMLElement | ShadowRoot} parent */
  constructor(parent) {
    super()
    this.button = button("", () => this.show(!this.isOpen))
    parent.append(this.button)
    this.onKey = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape" || !this.isOpen) return
      this.show(false)
      this.button.focus()
    }
    document.addEventListener("keydown", this.onKey)
  }

  get isOpen() {
    return this.page.dataset.drawer === "open"
  }

  destroy() {
    document.removeEventListener("keydown", this.onKey)
    delete this.page.dataset.drawer
    this.button.remove()
  }

  /** @param {Words} words */
  update(words) {
    this.words = words
    this.show(this.isOpen)
  }

  /** @param {boolean} open */
  show(open) {
    this.page.dataset.drawer = open ? "open" : "closed"
    this.button.textContent = open ? this.words.close : this.words.open
    this.button.setAttribute("aria-expanded", String(open))
  }
}

export default mounted(Drawer)
