// The code that does what a picture shows: its lines, of which the one that ran last is lit.

import { button, element } from "./elements.js"

/**
 * Lines with the part of the picture that each works on, or nothing; these parts in the order in
 * which they run, the last of which makes a step; and all of it as a script.
 * @typedef {{lines: [string, string][], parts: string[], script: string}} Code
 */
/** @typedef {Record<"title" | "next" | "copy" | "copied" | "failed", string>} CodeWords */
/** Where a picture stands, and the part whose line ran last. @typedef {{step: number, part: string}} Place */

/**
 * What has run after the next line.
 * @param {readonly string[]} parts
 * @param {Place} place
 * @param {number} last the step at which nothing is left to do
 * @returns {Place}
 */
export function following(parts, { step, part }, last) {
  const at = (parts.indexOf(part) + 1) % parts.length
  if (!at || step === last) return { step, part: parts[0] }
  return { step: at === parts.length - 1 ? step + 1 : step, part: parts[at] }
}

/**
 * Where the line of a part has run last, or runs first.
 * @param {readonly string[]} parts
 * @param {string} part
 * @param {number} step
 * @param {number} last
 * @returns {Place}
 */
export function ranAt(parts, part, step, last) {
  const at = parts.indexOf(part)
  if (at === parts.length - 1) return { step: Math.min(Math.max(step, 1), last), part }
  return { step, part: step === last ? parts[0] : part }
}

export class CodePane {
  /** @type {Code | null} */
  code = null
  /** @type {CodeWords | null} */
  words = null
  part = ""

  /**
   * @param {() => void} next runs a line
   * @param {(part: string) => void} chosen is called when the line of a part is clicked
   */
  constructor(next, chosen) {
    this.chosen = chosen
    this.node = element("section", "pane code")
    this.title = element("h4")
    this.next = button("", next)
    this.copy = button("", () => this.copyScript())
    this.lines = element("div", "lines")
    this.said = element("p", "gives")
    this.said.setAttribute("aria-live", "polite")
    const head = element("div", "code-head")
    head.append(this.title, this.next, this.copy)
    this.node.append(head, this.lines, this.said)
  }

  /**
   * @param {Code | null} code
   * @param {CodeWords} words
   */
  draw(code, words) {
    this.node.hidden = !code
    this.words = words
    this.title.textContent = words.title
    this.next.textContent = words.next
    this.copy.textContent = words.copy
    if (!code || JSON.stringify(code) === JSON.stringify(this.code)) return
    this.code = code
    this.lines.replaceChildren(...code.lines.map(([text, part]) => {
      const line = part ? button(text, () => this.chosen(part)) : element("div", "", text)
      line.classList.add("line")
      line.dataset.runs = part
      return line
    }))
  }

  /**
   * Light the line of a part, and write what it gives.
   * @param {string} part
   * @param {(string | Node)[]} gives
   */
  show(part, gives) {
    this.part = part
    for (const line of this.lines.querySelectorAll("button")) {
      const ran = line.dataset.runs === part
      line.classList.toggle("ran", ran)
      line.setAttribute("aria-current", String(ran))
    }
    this.said.replaceChildren(...gives)
  }

  async copyScript() {
    const { code, words, copy } = this
    if (!code || !words) return
    try {
      await navigator.clipboard.writeText(code.script)
      copy.textContent = words.copied
    } catch {
      copy.textContent = words.failed
    }
  }
}
