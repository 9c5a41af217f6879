// A token as an element: how it is drawn and marked, and found again from an event.

/** @import { Token } from "../browser/row.js" */
import { element, Meanings } from "../browser/elements.js"
import { drawParts } from "../browser/glyphs.js"

const UNBROKEN = 20 // characters: a longer token may break across lines

/** The token that an element stands for. @type {Meanings<Token>} */
export const tokens = new Meanings()

/**
 * Draw the element of a token; side by side, a line break is its glyph alone.
 * @param {Token} token
 * @param {boolean} sideBySide
 */
export function drawToken(token, sideBySide) {
  const { parts } = token
  const node = element("span", `token ${token.hue}`)
  const kind = token.kind(parts)
  tokens.set(node, token)
  node.dataset.kind = kind
  node.dataset.id = String(token.id)
  node.setAttribute("role", "option")
  if (kind === "empty") node.append(element("span", "control", "∅"))
  else drawParts(node, parts, sideBySide, token.row.space)
  if (parts.at(-1)?.unit.text === "\n") {
    node.classList.add("breaks")
    // The id must stand before the break.
    node.lastElementChild?.setAttribute("data-id", String(token.id))
  }
  if (parts.length <= UNBROKEN) node.classList.add("unbroken")
  token.node = node
  return node
}

/**
 * Put a class on a token and its id, or take it off.
 * @param {Token | null} token
 * @param {string} className
 * @param {boolean} on
 */
export function paint(token, className, on) {
  token?.node?.classList.toggle(className, on)
  token?.item?.classList.toggle(className, on)
}

/**
 * Scroll the pane, never the page, until a token is in sight.
 * @param {Element} pane
 * @param {Element} node
 */
export function scrollInto(pane, node) {
  const box = pane.getBoundingClientRect()
  const rect = node.getBoundingClientRect()
  if (rect.top < box.top) pane.scrollTop -= box.top - rect.top + 8
  else if (rect.bottom > box.bottom) pane.scrollTop += rect.bottom - box.bottom + 8
}

/**
 * The nearest token on the line below (`step` 1) or above (-1): of the next tokenizer in the same
 * block, or of the same text.
 * @param {Token} token
 * @param {1 | -1} step
 * @param {readonly Token[]} neighbours the tokens of the next tokenizer
 * @returns {Token | undefined}
 */
export function tokenBeside(token, step, neighbours) {
  const here = rectOf(token)
  const nearest = (/** @type {readonly Token[]} */ among) => {
    const far = (/** @type {Token} */ other) => Math.abs(rectOf(other).left - here.left)
    return among.reduce((best, other) => (far(other) < far(best) ? other : best), among[0])
  }
  if (token.block) return nearest(neighbours.filter((other) => other.block === token.block))
  const middle = (/** @type {DOMRect} */ rect) => rect.top + rect.height / 2
  /** @type {Token[]} */
  const line = []
  for (let at = token.index - token.row.first + step; token.row.tokens[at]; at += step) {
    const other = token.row.tokens[at]
    const height = middle(rectOf(other))
    if ((height - middle(here)) * step < here.height / 2) continue
    if (line.length && Math.abs(height - middle(rectOf(line[0]))) > here.height / 2) break
    line.push(other)
  }
  return nearest(line)
}

/**
 * Where the first line of a token is.
 * @param {Token} token
 */
const rectOf = (token) => token.node?.getClientRects()[0] ?? new DOMRect()
