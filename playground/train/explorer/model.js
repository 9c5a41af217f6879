// A trained tokenizer in the browser. Its merges are an ordered list, and the tokenizer of any
// smaller vocabulary is a beginning of it: nothing is trained again to see another size.

/** @import { Ranks } from "../../browser/training.js" */
import { joined } from "../../browser/row.js"
import { ranksOf } from "../../browser/training.js"
import { encode, unitsOf } from "../../browser/utf8.js"

const CURVE_POINTS = 160
const LINEAR = 300 // up to so many merges, all have the same room on their axis
export const PART = 0 // bytes that are not all whole characters
export const HANZI = 1 // one 汉字
export const HANZIS = 2 // several 汉字 and nothing else
export const REST = 3
export const KINDS = [PART, HANZI, HANZIS, REST]

/** @type {readonly Script[]} */
export const SCRIPTS = ["han", "latin", "mixed", "digits", "signs", "space", "other", "part"]
/** @typedef {"han" | "latin" | "mixed" | "digits" | "signs" | "space" | "other" | "part"} Script */

export const LENGTHS = 5 // 1, 2, 3, 4, 5 and more characters

const HAN = /\p{Script=Han}/u

/** Bytes, and tokens before the first merge. @typedef {{size: number, symbols: number}} Total */
/**
 * A tokenizer and its use in the corpus, as Python sends them. Of merge n: its pair, how often that
 * stood in the corpus (`count`), how often the merge was made in pre-tokens with 汉字 (`zh`) and in
 * others; of symbol n: how often it occurs before the first merge (`base`).
 * @typedef {{
 *   specials: string[], left: number[], right: number[], count: number[],
 *   zh: number[], other: number[], base: number[], totals: {zh: Total, other: Total},
 * }} Merges
 */
/**
 * Of characters: what merge n makes, the symbols that leave with a merge, the id of symbol n after
 * the last merge, and how many entries the vocabulary has before the first merge and after each.
 * Where nothing is merged, symbols leave with each step, whose `count` is how often they occurred.
 * The first `fixed` symbols are in every vocabulary, a number is a symbol of one byte, and those that
 * are `inside` begin no word. Where a step is not just a merge, `changes` has after each the symbols
 * that occur more or less often, and by how much.
 * @typedef {{
 *   unit: "characters", symbols: (string | number)[], fixed: number, end: string, inside: number[],
 *   made: number[], removed: [number, number[]][], ids: (number | null)[], sizes: number[],
 *   changes: number[][] | null,
 * }} OfCharacters
 */
/** @typedef {Merges & ({unit: "bytes"} | OfCharacters)} ModelData */
/** Tokens in the corpus: with 汉字, others, and of each kind. @typedef {{zh: number, other: number, kinds: number[]}} State */
/**
 * What the curves show of a state: bytes per token, shares of the kinds, the best pair's count.
 * @typedef {{zh: number | null, other: number | null, shares: number[], count: number}} Point
 */

export class Model {
  /** @type {Map<string, number>} the symbol that a character is */
  numbers = new Map()
  /** @type {(number | null)[]} the id of each symbol, where it has one of its own */
  ids = []
  /** @type {number[]} entries of the vocabulary after each merge, where some leave it */
  sizes = []
  /** @type {Map<number, number[]>} merge -> the symbols that leave with it */
  removed = new Map()
  end = ""
  fixed = 0
  /** @type {Set<number>} symbols that do not begin a word, where that is told apart */
  inside = new Set()
  /** @type {number[][] | null} */
  changes = null
  /** @type {number[]} merges after which the curves have a point */
  steps = []
  /** @type {Point[]} */
  points = []
  /** @type {(number | null)[]} the first merge that makes a token of each kind */
  firsts = [null, null, null]

  /** @param {ModelData} data */
  constructor(data) {
    this.bytes = data.unit === "bytes"
    this.specials = data.specials
    this.left = data.left
    this.right = data.right
    this.count = data.count
    this.zh = data.zh
    this.other = data.other
    this.totals = data.totals
    this.base = data.base
    this.last = data.unit === "bytes" ? this.left.length : data.sizes.length - 1
    /** Whether symbols leave with each step, where others are merged. */
    this.leaving = this.last > this.left.length
    if (data.unit === "bytes") {
      const bytes = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte))
      this.spelled = [...bytes, ...data.specials.map(encode)]
      this.made = this.left.map((_, rank) => this.spelled.length + rank)
    } else {
      this.spelled = data.symbols.map((symbol) =>
        typeof symbol === "number" ? Uint8Array.of(symbol) : encode(symbol)
      )
      this.made = data.made
      data.symbols.forEach((symbol, number) => {
        if (!this.numbers.has(String(symbol))) this.numbers.set(String(symbol), number)
      })
      this.ids = data.ids
      this.fixed = data.fixed
      this.sizes = data.sizes
      this.removed = new Map(data.removed)
      this.end = data.end
      this.inside = new Set(data.inside)
      this.changes = data.changes
    }
    this.start = this.spelled.length
    this.ranks = ranksOf(this.left, this.right)
    /** @type {Map<number, number>} symbol -> the merge that makes it first */
    this.by = new Map()
    this.made.forEach((made, rank) => {
      if (!this.by.has(made)) this.by.set(made, rank)
      if (this.inside.has(this.left[rank])) this.inside.add(made)
      this.spelled[made] ??= joined([
        this.spelled[this.left[rank]],
        this.spelled[this.right[rank]],
      ])
    })
    const texts = this.spelled.map((_, id) => this.plain(id))
    this.kind = texts.map(kindOf)
    this.script = texts.map((text) => SCRIPTS.indexOf(scriptOf(text)))
    this.length = texts.map((text) => [...(text ?? "")].length)
    this.measure()
  }

  /** @param {number} done */
  size(done) {
    return this.bytes ? this.start + done : this.sizes[done]
  }

  /**
   * Whether a symbol was learned, and is no character.
   * @param {number} id
   */
  learned(id) {
    return this.by.has(id) || (this.leaving && this.length[id] > 1 && id >= this.fixed)
  }

  /**
   * The text of a symbol without the mark of the end of a word; null if a character is broken.
   * @param {number} id
   */
  plain(id) {
    let text = ""
    for (const unit of unitsOf(this.spelled[id])) {
      if (unit.text === null) return null
      text += unit.text
    }
    return this.end && text.endsWith(this.end) ? text.slice(0, -this.end.length) : text
  }

  /** Work out the curves at some of the merges, the first and the last among them. */
  measure() {
    const steps = new Set([0, this.last])
    for (let at = 0; at < CURVE_POINTS; at++) steps.add(unscaled(at / CURVE_POINTS, this.last))
    this.steps = [...steps].sort((a, b) => a - b)
    const state = this.before()
    for (let done = 0;; done++) {
      if (done === this.steps[this.points.length]) this.points.push(this.point(state, done))
      if (done === this.last) return
      this.merge(state, done)
      const kind = this.kind[this.made[done]]
      // Characters are whole from the start.
      if (kind < REST && (this.bytes || kind === HANZIS)) this.firsts[kind] ??= done
    }
  }

  /**
   * The tokens of the corpus before the first merge.
   * @returns {State}
   */
  before() {
    const kinds = [0, 0, 0, 0]
    this.base.forEach((occurs, id) => (kinds[this.kind[id]] += occurs))
    return { zh: this.totals.zh.symbols, other: this.totals.other.symbols, kinds }
  }

  /**
   * @param {State} state
   * @param {number} rank
   */
  merge(state, rank) {
    state.zh -= this.zh[rank]
    state.other -= this.other[rank]
    this.change(rank, (id, times) => (state.kinds[this.kind[id]] += times))
  }

  /**
   * Call `add` with each symbol that occurs more often after a merge, or less, and by how much.
   * @param {number} rank
   * @param {(id: number, times: number) => void} add
   */
  change(rank, add) {
    if (this.changes) {
      const changed = this.changes[rank]
      for (let at = 0; at < changed.length; at += 2) add(changed[at], changed[at + 1])
      return
    }
    const made = this.zh[rank] + this.other[rank]
    add(this.left[rank], -made)
    add(this.right[rank], -made)
    add(this.made[rank], made)
  }

  /**
   * @param {State} state
   * @param {number} done
   * @returns {Point}
   */
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

  /**
   * All that is shown of the tokenizer of the first `done` merges beside the curves.
   * @param {number} done
   */
  at(done) {
    const state = this.before()
    const occurs = new Float64Array(this.spelled.length)
    this.base.forEach((count, id) => (occurs[id] = count))
    /** @type {Set<number>} */
    const gone = new Set()
    for (let rank = 0; rank < done; rank++) {
      this.merge(state, rank)
      this.change(rank, (id, times) => (occurs[id] += times))
      gone.delete(this.made[rank])
      for (const id of this.removed.get(rank) ?? []) gone.add(id)
    }
    const ids = []
    for (let id = 0; id < this.start; id++) if (!gone.has(id)) ids.push(id)
    for (let rank = 0; rank < done; rank++) {
      const id = this.made[rank]
      if (this.by.get(id) === rank && !gone.has(id)) ids.push(id)
    }
    const scripts = SCRIPTS.map(() => 0)
    const lengths = new Array(LENGTHS).fill(0)
    for (const id of ids) {
      scripts[this.script[id]]++
      if (this.length[id]) lengths[Math.min(this.length[id], LENGTHS) - 1]++
    }
    return { ...this.point(state, done), occurs, ids, gone, scripts, lengths }
  }
}

/** @typedef {ReturnType<Model["at"]>} Now */

// The axis of merges, from 0 to 1: early merges change most, and have more room.

/**
 * Where merge `done` of `last` stands.
 * @param {number} done
 * @param {number} last
 */
export function scaled(done, last) {
  if (last > LINEAR) return Math.sqrt(done / last)
  return last ? done / last : 0
}

/**
 * The merge that stands at a place.
 * @param {number} place
 * @param {number} last
 */
export const unscaled = (place, last) => Math.round((last > LINEAR ? place * place : place) * last)

// What there is to say of a token: its kind, and the script of its letters.

/** @param {string | null} text null where a character is broken */
export function kindOf(text) {
  if (text === null) return PART
  const characters = [...text.trim()] // without the space before a word, or the sign of its end
  if (!characters.length || !characters.every((sign) => HAN.test(sign))) return REST
  return characters.length === 1 ? HANZI : HANZIS
}

/**
 * The script of the letters, or without any, what there is instead.
 * @param {string | null} text null where a character is broken
 * @returns {Script}
 */
export function scriptOf(text) {
  if (text === null) return "part"
  const letters = [...text].filter((sign) => /[\p{L}\p{M}]/u.test(sign))
  if (letters.length) {
    if (letters.every((sign) => HAN.test(sign))) return "han"
    if (letters.every((sign) => /\p{Script=Latin}|\p{M}/u.test(sign))) return "latin"
    return letters.some((sign) => HAN.test(sign)) ? "mixed" : "other"
  }
  if (/\p{N}/u.test(text)) return "digits"
  return /\S/u.test(text) ? "signs" : "space"
}
