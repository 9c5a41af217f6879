// Running text and the list of ids in chunks: the browser neither styles nor lays out those that are
// out of sight.

/** @import { Row } from "../browser/row.js" */
import { element } from "../browser/elements.js"
import { drawToken, tokens } from "./tokens.js"

const CHUNK = 200 // tokens, at least: then a chunk ends at the next line break,
const LONGEST_CHUNK = 2000 // or here, where a long paragraph has none

/**
 * Draw a text as it runs.
 * @param {Row} row
 */
export function drawText(row) {
  const all = new Chunks()
  for (const token of row.tokens) {
    const node = drawToken(token, false)
    // A line may break before a space, which stays with its word.
    if (node.firstChild?.textContent?.startsWith(" ")) all.append(element("wbr"))
    all.append(node)
    all.count(node.classList.contains("breaks"))
  }
  return all.chunks
}

/**
 * Draw the list of the tokens' ids.
 * @param {Row} row
 */
export function drawIds(row) {
  const all = new Chunks()
  for (const token of row.tokens) {
    const item = element("span", `id ${token.hue}`, String(token.id))
    tokens.set(item, token)
    token.item = item
    all.append(item, " ")
    all.count(token.index % CHUNK === 0)
  }
  return all.chunks
}

class Chunks {
  /** @type {HTMLElement[]} */
  chunks = []
  /** @type {HTMLElement | null} */
  open = null
  size = 0

  /** @param {(Node | string)[]} nodes */
  append(...nodes) {
    if (!this.open) {
      this.open = element("div", "chunk")
      this.open.setAttribute("role", "presentation")
      this.chunks.push(this.open)
    }
    this.open.append(...nodes)
  }

  /**
   * Note that a token is complete; after a `last` one a new chunk may begin.
   * @param {boolean} last
   */
  count(last) {
    this.size += 1
    if (!(last && this.size >= CHUNK) && this.size < LONGEST_CHUNK) return
    this.size = 0
    this.open = null
  }
}
