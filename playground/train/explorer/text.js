// A text cut by the first merges of a tokenizer, whatever their number.

/** @import { Model } from "./model.js" */
import { HUES } from "../../browser/elements.js"
import { Row, written } from "../../browser/row.js"
import { nextMerge } from "../../browser/training.js"
import { encode } from "../../browser/utf8.js"

/** A symbol, the merge that made it, -1 for none, and its halves. @typedef {{id: number, rank: number, parts: TreeNode[]}} TreeNode */

/**
 * A pre-token, whether it is a special token, and its cuts where they do not follow from the merges.
 * @typedef {[string, boolean, [number, (number | string)[]][]?]} PieceData
 */

/** One pre-token with every cut that the merges make of it. */
class Piece {
  /**
   * @param {Model} model
   * @param {readonly number[]} symbols those before the first merge
   */
  constructor(model, symbols) {
    /** @type {TreeNode[]} */
    this.nodes = symbols.map((id) => ({ id, rank: -1, parts: [] }))
    for (let done = -1;;) {
      const rank = nextMerge(this.nodes.map(({ id }) => id), model.ranks, done)
      if (rank === null) return
      this.nodes = merged(model, this.nodes, rank)
      done = rank
    }
  }

  /**
   * The symbols after the first `done` merges.
   * @param {number} done
   */
  cut(done) {
    /** @type {number[]} */
    const ids = []
    const open = (/** @type {TreeNode} */ node) => {
      if (node.rank >= done) node.parts.forEach(open)
      else ids.push(node.id)
    }
    this.nodes.forEach(open)
    return ids
  }
}

/**
 * @param {Model} model
 * @param {readonly TreeNode[]} nodes
 * @param {number} rank
 */
function merged(model, nodes, rank) {
  const left = model.left[rank]
  const right = model.right[rank]
  /** @type {TreeNode[]} */
  const made = []
  for (let at = 0; at < nodes.length; at++) {
    if (nodes[at].id === left && nodes[at + 1]?.id === right) {
      made.push({ id: model.made[rank], rank, parts: [nodes[at], nodes[at + 1]] })
      at++
    } else made.push(nodes[at])
  }
  return made
}

/**
 * A pre-token with its cuts as Python says them: from which step on, and the symbols.
 * @param {readonly [number, number[]][]} cuts
 */
const given = (cuts) => ({
  cut: (/** @type {number} */ done) => cuts.findLast(([step]) => step <= done)?.[1] ?? [],
})

/** A text as Python has cut it: ordinary pieces, and special tokens between them. */
export class Text {
  /**
   * @param {Model} model
   * @param {readonly PieceData[]} pieces
   */
  constructor(model, pieces) {
    this.model = model
    /** @type {Map<string, number>} */
    this.unknown = new Map()
    /** @type {Map<string, {cut(done: number): number[]}>} */
    const known = new Map()
    this.pieces = pieces.map(([text, special, cuts]) => {
      if (special) return text
      const piece = known.get(text) ??
        (cuts
          ? given(cuts.map(([step, symbols]) => [step, symbols.map((at) => this.symbol(at))]))
          : new Piece(model, this.symbols(text)))
      known.set(text, piece)
      return piece
    })
  }

  /** @param {string} text */
  symbols(text) {
    const { model } = this
    if (model.bytes) return Array.from(encode(text))
    return [...text, ...(model.end ? [model.end] : [])].map((sign) => {
      return model.numbers.get(sign) ?? this.symbol(sign)
    })
  }

  /**
   * The number of a symbol, which an unknown one is given.
   * @param {number | string} sign
   */
  symbol(sign) {
    if (typeof sign === "number") return sign
    const { spelled } = this.model
    const known = this.unknown.get(sign) ?? spelled.push(encode(sign)) - 1
    this.unknown.set(sign, known)
    return known
  }

  /**
   * The tokens after the first `done` merges, as a row of the token view.
   * @param {number} done
   */
  row(done) {
    const { model } = this
    /** @type {number[]} */
    const ids = []
    /** @type {number[]} */
    const special = []
    for (const piece of this.pieces) {
      if (typeof piece !== "string") {
        ids.push(...piece.cut(done))
        continue
      }
      special.push(ids.length)
      const id = model.bytes ? 256 + model.specials.indexOf(piece) : model.numbers.get(piece)
      ids.push(id ?? 0)
    }
    const row = new Row({
      name: "",
      space: "",
      total: ids.length,
      counts: null,
      ids,
      ...written(ids.map((id) => model.spelled[id])),
      first: 0,
      lead: 0,
      count: ids.length,
      special,
    })
    // A colour belongs to a place in the text, so that it stays while other tokens are merged, and
    // neither a letter nor a 汉字 further is the same.
    let hue = -1
    for (const token of row.tokens) {
      const wanted = Math.floor(token.start * 1.7) % HUES
      hue = wanted === hue ? (wanted + 1) % HUES : wanted
      token.given = hue
    }
    return row
  }
}
