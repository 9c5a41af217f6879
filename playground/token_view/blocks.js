// The same text under several tokenizers: blocks side by side, each with a line for every tokenizer.
// After an edit, blocks that look as before keep their elements and hues, so that the browser lays
// out those around the edit alone.

/** @import { Row, Token } from "../browser/row.js" */
/** @import { Pane } from "./pane.js" */
import { element, HUES } from "../browser/elements.js"
import { hex } from "../browser/utf8.js"
import { drawToken, tokens } from "./tokens.js"

const SHIFT = 12 // blocks that one edit adds or removes, at most, to find the others again
const MOST_BLOCKS = 400 // that are hidden rather than removed

/**
 * The tokens of each tokenizer between two common boundaries; `end` is a line break behind it.
 * @typedef {{
 *   lines: Token[][], signature: string, node: HTMLElement | null, end: HTMLElement | null,
 * }} Block
 */

export class Blocks {
  /** @type {Block[]} */
  #blocks = []
  /** Names and signs of the tokenizers, with which all blocks are drawn anew. */
  #drawing = ""

  /** @param {Pane} pane */
  constructor(pane) {
    this.pane = pane
  }

  /** Forget the blocks, where the pane shows something else. */
  clear() {
    this.#blocks = []
  }

  /**
   * @param {readonly Row[]} rows
   * @param {readonly number[][]} counts how many tokens each row has in each block
   */
  draw(rows, counts) {
    const at = rows.map(() => 0)
    /** @type {Block[]} */
    const blocks = counts.map((sizes) => {
      const lines = rows.map((row, r) => row.tokens.slice(at[r], at[r] += sizes[r]))
      return { lines, signature: signatureOf(lines), node: null, end: null }
    })
    const drawing = JSON.stringify(rows.map((row) => [row.name, row.space]))
    if (drawing !== this.#drawing || !this.#blocks.length) {
      this.pane.put([element("div", "chunk")])
      this.clear()
      this.#drawing = drawing
    }
    /** @type {Set<Block>} */
    const staying = new Set()
    for (const [old, block] of alike(this.#blocks, blocks)) {
      staying.add(old)
      block.node = old.node
      block.end = old.end
      block.lines.forEach((line, r) => line.forEach((token, n) => follow(token, old.lines[r][n])))
    }
    for (const row of rows) giveHues(row.tokens)
    const gone = this.#blocks.filter((block) => !staying.has(block))
    this.pane.drop(gone.flatMap(nodesOf), MOST_BLOCKS)
    this.#blocks = blocks
    for (const block of blocks) if (!block.node) drawBlock(block)
    insert(this.pane.node.lastElementChild, blocks.flatMap(nodesOf))
  }

  /**
   * Write the names in front of every line of blocks, wherever the window breaks it.
   * @param {readonly Row[]} rows
   */
  name(rows) {
    const nodes = this.#blocks.flatMap(({ node }) => node ?? [])
    const tops = nodes.map((node) => node.getBoundingClientRect().top)
    nodes.forEach((node, at) => {
      const first = at === 0 || tops[at] > tops[at - 1] + 1
      if (first === node.classList.contains("first")) return
      node.classList.toggle("first", first)
      if (!first) return
      ;[...node.children].forEach((line, r) => line.setAttribute("data-name", rows[r].name))
    })
  }
}

/**
 * @param {Block} block
 * @returns {HTMLElement[]}
 */
const nodesOf = ({ node, end }) => [node, end].flatMap((each) => each ?? [])

/**
 * Put elements in order before, between and behind those that are hidden.
 * @param {Element | null} sheet
 * @param {readonly HTMLElement[]} nodes
 */
function insert(sheet, nodes) {
  let next = sheet?.firstElementChild ?? null
  for (const node of nodes) {
    while (next?.hasAttribute("hidden")) next = next.nextElementSibling
    if (node === next) next = next.nextElementSibling
    else sheet?.insertBefore(node, next)
  }
}

/** @param {Block} block */
function drawBlock(block) {
  const node = element("span", "block")
  block.node = node
  node.setAttribute("role", "presentation")
  if (block.lines.every((line) => line.length === 1)) node.classList.add("same")
  for (const drawn of block.lines) {
    const line = element("span", "line")
    line.setAttribute("role", "presentation")
    for (const token of drawn) {
      token.block = node
      const own = drawToken(token, true)
      own.style.flexGrow = String(token.end - token.start)
      if (own.classList.contains("breaks")) block.end ??= element("span", "break")
      line.append(own)
    }
    node.append(line)
  }
}

/**
 * Take over the element of the token that stood for the same before an edit.
 * @param {Token} token
 * @param {Token} old
 */
function follow(token, old) {
  token.node = old.node
  if (old.node) tokens.set(old.node, token)
  token.block = old.block
  token.given = old.given
}

/**
 * What the lines of a block spell, and how: those of equal signatures look alike.
 * @param {readonly Token[][]} lines
 */
export function signatureOf(lines) {
  const [token] = lines.find((line) => line.length) ?? []
  if (!token) return ""
  const { row, start } = token
  const end = lines.flat().findLast((other) => other.row === row)?.end ?? start
  const units = row.units.slice(row.unitOf[start], row.unitOf[end - 1] + 1)
  const text = units.map(({ text, start, size }) =>
    text ?? hex(row.bytes.subarray(start, start + size))
  )
  const ids = lines.map((line) => line.map((other) => other.id).join(",")).join(";")
  return `${ids} ${start - units[0].start} ${end - start} ${text.join("")}`
}

/**
 * Pairs of old and new blocks that look alike: those before an edit, and those behind it.
 * @template {{signature: string}} Signed
 * @param {readonly Signed[]} old
 * @param {readonly Signed[]} now
 */
export function alike(old, now) {
  const same = (/** @type {number} */ i, /** @type {number} */ j) =>
    i >= 0 && j >= 0 && old[i]?.signature === now[j]?.signature
  const most = Math.min(old.length, now.length)
  let head = 0
  while (head < most && same(head, head)) head++
  // A window of a long text ends at another block after the edit.
  let tail = { size: 0, i: 0, j: 0 }
  for (let shift = -SHIFT; shift <= SHIFT; shift++) {
    const i = old.length - 1 - Math.max(shift, 0)
    const j = now.length - 1 - Math.max(-shift, 0)
    let size = 0
    while (i - size >= head && j - size >= head && same(i - size, j - size)) size++
    if (size > tail.size) tail = { size, i, j }
  }
  /** @type {[Signed, Signed][]} */
  const pairs = []
  for (let n = 0; n < head; n++) pairs.push([old[n], now[n]])
  for (let n = 0; n < tail.size; n++) pairs.push([old[tail.i - n], now[tail.j - n]])
  return pairs
}

/**
 * Give hues to the tokens that have none yet, each another than its neighbours'.
 * @param {readonly Token[]} row
 */
export function giveHues(row) {
  /** @type {number | null} */
  let before = null
  row.forEach((token, n) => {
    const after = row[n + 1]?.given ?? null
    let hue = token.given ?? ((before ?? token.index) + 1) % HUES
    while (hue === before || hue === after) hue = (hue + 1) % HUES
    token.dye(hue)
    before = hue
  })
}
