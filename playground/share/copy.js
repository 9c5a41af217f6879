// A button that copies a link, and the link itself to be copied by hand: a page without https, or one
// that another page embeds, may not write to the clipboard.

import { button, element, mounted, View } from "../browser/elements.js"

const COPIED = 2500 // ms that the button says so

/**
 * Where the slider of a picture stands: its key, its training, the step.
 * @typedef {[string | undefined, string | undefined, number]} Step
 */
/**
 * What Python sends; the link is to the sliders at `steps`.
 * @typedef {{
 *   link: string, steps: Step[],
 *   labels: {copy: string, copied: string, field: string, byHand: string},
 * }} Data
 */

/** @extends {View<Data>} */
class Copy extends View {
  /** @type {Data} */
  data

  /** @param {HTMLElement | ShadowRoot} parent */
  constructor(parent) {
    super()
    this.root = element("div", "copy")
    this.button = button("", () => this.copy())
    this.field = element("input")
    Object.assign(this.field, { type: "text", readOnly: true })
    this.said = element("p", "said")
    this.said.setAttribute("role", "status")
    this.field.addEventListener("focus", () => this.field.select())
    this.root.append(this.button, this.field, this.said)
    parent.append(this.root)
  }

  destroy() {
    this.root.remove()
  }

  /** @param {Data} data */
  update(data) {
    this.data = data
    const steps = stepsShown()
    const whole = JSON.stringify(steps) === JSON.stringify(data.steps)
    if (!whole) this.setStateValue("steps", steps) // the answer has the link
    const base = data.link.startsWith("?") ? location.origin + location.pathname : ""
    this.field.value = whole ? base + data.link : ""
    this.button.disabled = !whole
    this.field.setAttribute("aria-label", data.labels.field)
    this.button.textContent = data.labels.copy
    this.said.textContent = ""
  }

  async copy() {
    const { copy, copied, byHand } = this.data.labels
    if (await isCopied(this.field)) {
      this.button.textContent = copied
      setTimeout(() => (this.button.textContent = copy), COPIED)
    } else {
      this.field.focus()
      this.field.select()
      this.said.textContent = byHand
    }
  }
}

/** Where the sliders of the pictures stand, which the server does not know. */
function stepsShown() {
  const pictures = /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll("[data-step-of]")
  )
  return Array.from(pictures, ({ dataset }) => [
    dataset.stepOf,
    dataset.version,
    Number(dataset.step),
  ])
}

/**
 * Copy what is in a field; return whether the browser allows it.
 * @param {HTMLInputElement} field
 */
async function isCopied(field) {
  try {
    await navigator.clipboard.writeText(field.value)
    return true
  } catch {
    field.select()
    try {
      return document.execCommand("copy")
    } catch {
      return false
    }
  }
}

export default mounted(Copy)
