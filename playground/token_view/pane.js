// The pane that tokens stand in. What it no longer shows is hidden first, and removed in a pause
// of typing: Chromium undoes one letter at a time where nodes were removed between two keys.

import { element } from "../browser/elements.js"

const MOST_CHUNKS = 12 // that are hidden rather than removed

export class Pane {
  /** @type {HTMLElement[]} hidden nodes, until a pause of typing */
  #dropped = []

  constructor() {
    this.node = element("div", "text")
    this.node.setAttribute("role", "listbox")
  }

  /**
   * Show other chunks.
   * @param {readonly HTMLElement[]} chunks
   */
  put(chunks) {
    const shown = /** @type {HTMLElement[]} */ ([...this.node.children])
    this.drop(shown.filter((node) => !node.hidden), MOST_CHUNKS)
    this.node.append(...chunks)
  }

  /**
   * Hide elements; where those hidden would be more than `most`, remove them.
   * @param {readonly HTMLElement[]} nodes
   * @param {number} most
   */
  drop(nodes, most) {
    if (nodes.length + this.#dropped.length > most) this.sweep()
    for (const node of nodes) node.hidden = true
    this.#dropped.push(...nodes)
    if (this.#dropped.length > most) this.sweep()
  }

  /** Remove what is hidden. */
  sweep() {
    for (const node of this.#dropped.splice(0)) node.remove()
  }
}

/** Whether the reader writes a text somewhere. */
export function isTyping() {
  let active = document.activeElement
  while (active?.shadowRoot) active = active.shadowRoot.activeElement
  return active?.tagName === "TEXTAREA"
}
