// One pre-token on its way to tokens: neighbours with their ranks, the lowest merged, and the tree
// that grows of it over the bytes.

/** @import { Card } from "../browser/cards.js" */
/** @import { Code, CodeWords } from "../browser/code.js" */
/** @import { TransportWords } from "../browser/transport.js" */
/** @import { Unit } from "../browser/utf8.js" */
/** @import { Step, TreeNode } from "./tree.js" */
import { element, HUES, Meanings, mounted } from "../browser/elements.js"
import { drawBytes } from "../browser/glyphs.js"
import { Picture } from "../browser/picture.js"
import { decoded, unitsOf } from "../browser/utf8.js"
import { fill, number } from "../browser/words.js"
import { boundaries, treeOf } from "./tree.js"

/**
 * What Python sends; `bytes` is the pre-token in base64, and `others` are other ways to cut it.
 * @typedef {{
 *   version: string, bytes: string, steps: Step[],
 *   others: [name: string, sizes: number[], note: string][], cards: Card[],
 *   code: Code | null, labels: {transport: TransportWords, code: CodeWords, lowest: string, done: string},
 * }} Data
 */

const SHOWN_PAIRS = 4

/** The bytes that a chip stands for: from the first to before the second. @type {Meanings<[number, number]>} */
const spans = new Meanings()

/** @extends {Picture<Data>} */
class Replay extends Picture {
  /** @type {Data} */
  data
  version = ""
  bytes = new Uint8Array()
  /** @type {Unit[]} */
  units = []
  /** @type {TreeNode[]} */
  nodes = []

  /** @param {HTMLElement | ShadowRoot} parent */
  constructor(parent) {
    super(parent, "replay")
    this.row = element("div", "row-of-symbols")
    this.row.dataset.part = "row"
    this.said = element("p", "said-now")
    this.said.setAttribute("aria-live", "polite")
    this.said.dataset.part = "lowest"
    this.tree = element("div", "tree")
    this.tree.dataset.part = "tree"
    this.others = element("div", "others")
    this.others.dataset.part = "others"
    const { root, player, row, said, tree, code, others, cards } = this
    root.append(player, row, said, tree, code.node, others, cards.node)
  }

  /** @param {Data} data */
  update(data) {
    const fresh = data.version !== this.version
    this.version = data.version
    this.data = data
    this.bytes = decoded(data.bytes)
    this.units = unitsOf(this.bytes)
    this.nodes = treeOf(data.steps)
    if (fresh) this.transport.reset(data.steps.length - 1, 0)
    this.tell(data.cards, data.labels.transport)
    this.drawOthers()
    this.show(this.transport.step)
    this.drawCode(data.code, data.labels.code)
    this.focus(this.cards.top)
  }

  /** @param {string} part */
  gives(part) {
    const { sizes, ranks, place } = this.data.steps[this.transport.step]
    const starts = boundaries(sizes)
    const pair = (/** @type {number} */ at) =>
      [at, at + 1].map((each) => this.chip(starts[each], starts[each + 1], "base"))
    if (part === "tree") return [`len(symbols) = ${sizes.length}`]
    if (part === "lowest") return place === null ? [] : ["pair = ", ...pair(place)]
    const known = ranks.flatMap((rank, at) => rank === null ? [] : [at])
    const first = known.slice(0, SHOWN_PAIRS).flatMap((at) => [...pair(at), ", "])
    return ["known = [", ...first.slice(0, -1), known.length > SHOWN_PAIRS ? ", …]" : "]"]
  }

  /**
   * @param {number} start
   * @param {number} end
   * @param {string} className
   */
  chip(start, end, className) {
    const chip = element("span", `chip ${className}`)
    spans.set(chip, [start, end])
    drawBytes(chip, this.bytes, this.units, start, end)
    return chip
  }

  /**
   * @param {TreeNode} node
   * @param {number} step
   */
  nodeChip({ start, end, step: made }, step) {
    const chip = this.chip(start, end, made ? `hue${made % HUES}` : "base")
    if (made && made === step) chip.classList.add("fresh")
    return chip
  }

  /** @param {number} step */
  show(step) {
    const { steps, labels } = this.data
    const { sizes, ranks, place, rank } = steps[step]
    const drawn = []
    let at = 0
    for (const [index, size] of sizes.entries()) {
      const [start, end] = [at, at += size]
      const made = this.nodes.find((node) => node.start === start && node.end === end)
      drawn.push(made ? this.nodeChip(made, step) : this.chip(start, end, "base"))
      if (index < sizes.length - 1) drawn.push(rankPill(ranks[index], index === place))
    }
    this.row.replaceChildren(...drawn)
    this.said.textContent = place === null
      ? fill(labels.done, { count: sizes.length })
      : fill(labels.lowest, { rank })
    this.drawTree(step)
    this.light(null)
  }

  /** @param {number} step */
  drawTree(step) {
    this.tree.style.gridTemplateColumns = `repeat(${this.bytes.length}, minmax(1.6rem, auto))`
    const top = Math.max(0, ...this.nodes.map((node) => node.height))
    const boxes = this.nodes
      .filter((node) => node.step <= step)
      .map((node) => {
        const box = this.nodeChip(node, step)
        box.style.gridColumn = `${node.start + 1} / ${node.end + 1}`
        box.style.gridRow = String(top - node.height + 1)
        if (node.rank !== null) box.append(element("small", "", number(node.rank)))
        return box
      })
    this.tree.replaceChildren(...boxes)
  }

  drawOthers() {
    const rows = this.data.others.map(([name, sizes, note]) => {
      const row = element("div", "other")
      const chips = element("span", "chips")
      let at = 0
      for (const [index, size] of sizes.entries()) {
        chips.append(this.chip(at, at += size, `hue${index % HUES}`))
      }
      row.append(element("span", "name", name), chips, element("span", "quiet", note))
      return row
    })
    this.others.replaceChildren(...rows)
    this.others.hidden = !rows.length
  }

  /** @param {Event | null} event */
  light(event) {
    const lit = spans.at(event)
    for (const chip of this.root.querySelectorAll(".chip")) {
      const span = spans.get(chip)
      chip.classList.toggle("lit", Boolean(lit && span && span[0] < lit[1] && span[1] > lit[0]))
    }
  }
}

/**
 * The rank of two neighbours, null for none.
 * @param {number | null} rank
 * @param {boolean} lowest
 */
function rankPill(rank, lowest) {
  const pill = element("span", "rank", rank === null ? "–" : number(rank))
  if (lowest) pill.classList.add("lowest")
  else if (rank === null) pill.classList.add("none")
  return pill
}

export default mounted(Replay)
