// A trained tokenizer in the browser. Its merges are an ordered list, and the tokenizer of any
// smaller vocabulary is a beginning of it: nothing is trained again to see another size.

import { pairKey } from "../../browser/training.js"
import { HUES, Row } from "../../browser/row.js"
import { characterAt, encode, spell } from "../../browser/utf8.js"

export const PART = 0 // bytes that are not all whole characters
export const HANZI = 1 // one 汉字
export const HANZIS = 2 // several 汉字 and nothing else
export const REST = 3
const HAN = /\p{Script=Han}/u

export const SCRIPTS = ["han", "latin", "mixed", "digits", "signs", "space", "other", "part"]
export const LENGTHS = 5 // 1, 2, 3, 4, 5 and more characters
const CURVE_POINTS = 160

/** Where merge `done` of `last` stands on an axis from 0 to 1: early merges change most. */
export const scaled = (done, last) => (last > 300 ? Math.sqrt(done / last) : last ? done / last : 0)
export const unscaled = (place, last) => Math.round((last > 300 ? place * place : place) * last)

export class Model {
  constructor(data) {
    this.bytes = data.unit === "bytes"
    this.specials = data.specials
    this.left = data.left
    this.right = data.right
    this.count = data.count // how often the pair stood in the corpus
    this.zh = data.zh // how often the merge was made in pre-tokens with 汉字
    this.other = data.other // and in the others
    this.totals = data.totals // {zh: {size, symbols}, other: …}: bytes, tokens before the first
    this.base = data.base // how often each symbol occurs before the first merge
    this.last = this.left.length
    this.end = data.end
    const first = this.bytes
      ? [...Array(256).keys()].map((byte) => Uint8Array.of(byte))
      : data.symbols.map((symbol) => encode(symbol))
    this.spelled = this.bytes ? [...first, ...data.specials.map((s) => encode(s))] : first
    this.start = this.spelled.length
    this.made = this.bytes ? this.left.map((_, rank) => this.start + rank) : data.made
    if (!this.bytes) {
      this.numbers = new Map(data.symbols.map((symbol, number) => [symbol, number]))
      this.ids = data.ids // symbol -> id after the last merge, or null
      this.sizes = data.sizes // entries of the vocabulary before the first merge and after each
      this.removed = new Map(data.removed) // merge -> the symbols that leave with it
      this.unknown = data.unknown
    }
    this.ranks = new Map() // pair -> the numbers of its merges, ascending; mostly one
    this.by = new Map() // symbol -> the merge that makes it first
    for (let rank = 0; rank < this.last; rank++) {
      const key = pairKey(this.left[rank], this.right[rank])
      if (this.ranks.has(key)) this.ranks.get(key).push(rank)
      else this.ranks.set(key, [rank])
      const made = this.made[rank]
      if (!this.by.has(made)) this.by.set(made, rank)
      this.spelled[made] ??= joined(this.spelled[this.left[rank]], this.spelled[this.right[rank]])
    }
    this.describe()
    this.measure()
  }

  size(done) {
    return this.bytes ? this.start + done : this.sizes[done]
  }

  /** What kind of token each symbol is, its script, and how many characters it has. */
  describe() {
    const total = this.spelled.length
    this.kind = new Uint8Array(total).fill(REST)
    this.script = new Uint8Array(total)
    this.length = new Uint16Array(total)
    for (let id = 0; id < total; id++) {
      const text = this.plain(id)
      const characters = text === null ? [] : [...text]
      this.length[id] = characters.length
      this.script[id] = SCRIPTS.indexOf(text === null ? "part" : scriptOf(text))
      if (text === null) this.kind[id] = PART
      else if (characters.length && characters.every((sign) => HAN.test(sign))) {
        this.kind[id] = characters.length === 1 ? HANZI : HANZIS
      }
    }
  }

  /** The text of a symbol without the mark of the end of a word; null if a character is broken. */
  plain(id) {
    const bytes = this.spelled[id]
    let text = ""
    for (let at = 0; at < bytes.length;) {
      const [size, valid] = characterAt(bytes, at)
      if (!valid) return null
      text += spell(bytes, at, size)
      at += size
    }
    return this.end && text.endsWith(this.end) ? text.slice(0, -this.end.length) : text
  }

  /** The curves, after some of the merges; those before the first and after the last are there. */
  measure() {
    const steps = new Set([0, this.last])
    for (let at = 0; at < CURVE_POINTS; at++) steps.add(unscaled(at / CURVE_POINTS, this.last))
    this.steps = [...steps].sort((a, b) => a - b)
    this.firsts = [null, null, null] // the first merge that makes a token of each kind
    this.curves = { zh: [], other: [], shares: [], count: [] }
    const state = this.before()
    let next = 0
    for (let done = 0;; done++) {
      if (done === this.steps[next]) {
        next++
        const at = this.point(state, done)
        for (const name of Object.keys(this.curves)) this.curves[name].push(at[name])
      }
      if (done === this.last) return
      this.merge(state, done)
      const kind = this.kind[this.made[done]]
      // Characters are whole from the start.
      if (kind < REST && (this.bytes || kind === HANZIS)) this.firsts[kind] ??= done
    }
  }

  /** Tokens in the text before the first merge: how many of each script, and of each kind. */
  before() {
    const kinds = [0, 0, 0, 0]
    this.base.forEach((occurs, id) => (kinds[this.kind[id]] += occurs))
    return { zh: this.totals.zh.symbols, other: this.totals.other.symbols, kinds }
  }

  merge(state, rank) {
    const made = this.zh[rank] + this.other[rank]
    state.zh -= this.zh[rank]
    state.other -= this.other[rank]
    state.kinds[this.kind[this.left[rank]]] -= made
    state.kinds[this.kind[this.right[rank]]] -= made
    state.kinds[this.kind[this.made[rank]]] += made
  }

  /** What the curves show of a state: bytes per token, shares of kinds, the best pair's count. */
  point(state, done) {
    const { zh, other } = this.totals
    const tokens = state.zh + state.other
    return {
      zh: state.zh ? zh.size / state.zh : null,
      other: state.other ? other.size / state.other : null,
      shares: state.kinds.map((occurs) => (tokens ? occurs / tokens : 0)),
      count: this.count[Math.min(done, this.last - 1)] ?? 0,
    }
  }

  /** All that is shown of the tokenizer of the first `done` merges beside the curves. */
  at(done) {
    const state = this.before()
    const occurs = new Float64Array(this.spelled.length)
    this.base.forEach((count, id) => (occurs[id] = count))
    const gone = new Set()
    for (let rank = 0; rank < done; rank++) {
      this.merge(state, rank)
      const made = this.zh[rank] + this.other[rank]
      occurs[this.left[rank]] -= made
      occurs[this.right[rank]] -= made
      occurs[this.made[rank]] += made
      gone.delete(this.made[rank])
      for (const id of this.removed?.get(rank) ?? []) gone.add(id)
    }
    const ids = []
    for (let id = 0; id < this.start; id++) if (!gone.has(id)) ids.push(id)
    for (let rank = 0; rank < done; rank++) {
      const id = this.made[rank]
      if (this.by.get(id) === rank && !gone.has(id)) ids.push(id)
    }
    const scripts = new Array(SCRIPTS.length).fill(0)
    const lengths = new Array(LENGTHS).fill(0)
    for (const id of ids) {
      scripts[this.script[id]]++
      if (this.length[id]) lengths[Math.min(this.length[id], LENGTHS) - 1]++
    }
    return { ...this.point(state, done), occurs, ids, gone, scripts, lengths }
  }
}

function joined(...parts) {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let end = 0
  for (const part of parts) {
    bytes.set(part, end)
    end += part.length
  }
  return bytes
}

/** The script of the letters, or without any, what there is instead. */
function scriptOf(text) {
  const letters = [...text].filter((sign) => /[\p{L}\p{M}]/u.test(sign))
  if (letters.length) {
    if (letters.every((sign) => HAN.test(sign))) return "han"
    if (letters.every((sign) => /\p{Script=Latin}|\p{M}/u.test(sign))) return "latin"
    return letters.some((sign) => HAN.test(sign)) ? "mixed" : "other"
  }
  if (/\p{N}/u.test(text)) return "digits"
  return /\S/u.test(text) ? "signs" : "space"
}

/** One pre-token with every cut that the merges make of it. */
class Piece {
  /** `symbols` are those before the first merge. */
  constructor(model, symbols) {
    this.nodes = symbols.map((id) => ({ id, rank: -1, parts: null }))
    for (let done = -1;;) {
      const rank = nextMerge(model, this.nodes, done)
      if (rank === null) return
      this.nodes = merged(model, this.nodes, rank)
      done = rank
    }
  }

  /** The symbols after the first `done` merges. */
  cut(done) {
    const ids = []
    const open = (node) => {
      if (node.rank >= done) node.parts.forEach(open)
      else ids.push(node.id)
    }
    this.nodes.forEach(open)
    return ids
  }
}

/** The first merge behind `done` that fits anywhere, or null. */
function nextMerge(model, nodes, done) {
  let next = null
  for (let at = 0; at + 1 < nodes.length; at++) {
    for (const rank of model.ranks.get(pairKey(nodes[at].id, nodes[at + 1].id)) ?? []) {
      if (rank <= done) continue
      if (next === null || rank < next) next = rank
      break
    }
  }
  return next
}

function merged(model, nodes, rank) {
  const left = model.left[rank]
  const right = model.right[rank]
  const made = []
  for (let at = 0; at < nodes.length; at++) {
    if (nodes[at].id === left && nodes[at + 1]?.id === right) {
      made.push({ id: model.made[rank], rank, parts: [nodes[at], nodes[at + 1]] })
      at++
    } else made.push(nodes[at])
  }
  return made
}

/** A text as Python has cut it: ordinary pieces, and special tokens between them. */
export class Text {
  constructor(model, pieces) {
    this.model = model
    const known = new Map()
    this.pieces = pieces.map(([text, special]) => {
      if (special) return { special: true, text }
      if (!known.has(text)) known.set(text, new Piece(model, this.symbols(text)))
      return known.get(text)
    })
  }

  symbols(text) {
    const { model } = this
    if (model.bytes) return Array.from(encode(text))
    const signs = [...text, ...(model.end ? [model.end] : [])]
    return signs.map((sign) => {
      if (!model.numbers.has(sign)) {
        model.numbers.set(sign, model.spelled.length) // no token at all: an unknown character
        model.spelled.push(encode(sign))
      }
      return model.numbers.get(sign)
    })
  }

  /** The tokens after the first `done` merges, as a row of the token view. */
  row(done) {
    const { model } = this
    const ids = []
    const special = []
    for (const piece of this.pieces) {
      if (piece.special) {
        special.push(ids.length)
        ids.push(
          model.bytes ? 256 + model.specials.indexOf(piece.text) : model.numbers.get(piece.text),
        )
      } else ids.push(...piece.cut(done))
    }
    const spelled = ids.map((id) => model.spelled[id])
    const row = new Row({
      name: "",
      total: ids.length,
      counts: null,
      ids,
      ...written(spelled),
      sizes: spelled.map((bytes) => bytes.length),
      first: 0,
      lead: 0,
      count: ids.length,
      special,
    })
    let hue = -1
    // A colour belongs to a place in the text, so that it stays while other tokens are merged.
    for (const token of row.tokens) {
      const wanted = Math.floor(token.start * 1.7) % HUES // neither a letter nor a 汉字 further is the same
      hue = wanted === hue ? (wanted + 1) % HUES : wanted
      token.given = hue
    }
    return row
  }
}

/** What a row of the token view needs to know of its bytes, given as arrays to be joined. */
export function written(arrays) {
  const bytes = joined(...arrays)
  const text = []
  const invalid = {}
  for (let at = 0; at < bytes.length;) {
    const [size, valid] = characterAt(bytes, at)
    if (!valid) invalid[text.length] = Array.from(bytes.subarray(at, at + size))
    text.push(valid ? spell(bytes, at, size) : "\ufffd")
    at += size
  }
  return { text, invalid }
}
