// A training as Python recorded it: words, merges in order, and the counts of every round.
// A word as it stood after k merges is worked out here, by applying the first k merges to it.

/** @import { Unit } from "./utf8.js" */
import { encode, unitsOf } from "./utf8.js"

const LONGEST_WORD = 400 // symbols at the start; a longer word is shown up to there

const REMEMBERED = 64 // symbols at the start of a word whose cuts are cached

/** @typedef {{left: number, right: number, count: number}} Pair */
/** @typedef {Pair & {new: number}} Merge */
/** A pair with its count before the last merge. @typedef {Pair & {before: number | null}} Counted */
/**
 * The counts after so many merges: the most frequent pairs, how many are as frequent as the
 * first, the words that the last merge changed, and the symbols that it removed.
 * @typedef {{
 *   pairs: Counted[], ties: number, tokens: number, size: number,
 *   changed: number[], changedTotal: number, removed: number[],
 * }} Round
 */
/** @typedef {[number[], number, number, number, number[], number, number[]]} RoundData */
/**
 * @typedef {{
 *   unit: "bytes" | "characters", end: string, words: [string, number][],
 *   symbols: (number | string)[], specials: string[], merges: number[], rounds: RoundData[],
 * }} TrainingData
 */
/** How a merge cuts a word: its number, -1 for none, and the symbols. @typedef {[number, number[]]} Cut */
/** The numbers of the merges of a pair, ascending; mostly one. @typedef {Map<number, number[]>} Ranks */

/**
 * @param {number} left
 * @param {number} right
 */
export const pairKey = (left, right) => left * 0x200000 + right

/**
 * The merges of pairs by {@link pairKey}, each pair given by its symbols at a rank.
 * @param {readonly number[]} left
 * @param {readonly number[]} right
 */
export function ranksOf(left, right) {
  /** @type {Ranks} */
  const ranks = new Map()
  left.forEach((symbol, rank) => {
    const key = pairKey(symbol, right[rank])
    const known = ranks.get(key)
    if (known) known.push(rank)
    else ranks.set(key, [rank])
  })
  return ranks
}

export class Training {
  /** @param {TrainingData} data */
  constructor(data) {
    this.bytes = data.unit === "bytes"
    this.end = data.end
    /** @type {(Uint8Array | string)[]} bytes, or characters */
    this.spelling = data.symbols.map((symbol) =>
      typeof symbol === "number" ? Uint8Array.of(symbol) : symbol
    )
    this.base = this.spelling.length
    this.specials = data.specials
    /** @type {Merge[]} */
    this.merges = []
    /** @type {Map<number, number>} symbol -> the merge that made it first; base symbols have none */
    this.madeBy = new Map()
    for (let at = 0; at < data.merges.length; at += 4) {
      const [left, right, made, count] = data.merges.slice(at, at + 4)
      if (!this.madeBy.has(made)) this.madeBy.set(made, this.merges.length)
      this.merges.push({ left, right, new: made, count })
      this.spelling[made] = together(this.spelling[left], this.spelling[right])
    }
    this.ranks = ranksOf(this.merges.map(({ left }) => left), this.merges.map(({ right }) => right))
    /** @type {Round[]} */
    this.rounds = data.rounds.map(([top, ties, tokens, size, changed, changedTotal, removed]) => {
      const pairs = []
      for (let at = 0; at < top.length; at += 4) {
        const [left, right, count, before] = top.slice(at, at + 4)
        pairs.push({ left, right, count, before })
      }
      return { pairs, ties, tokens, size, changed, changedTotal, removed }
    })
    const ids = new Map(this.spelling.slice(0, this.base).map((symbol, id) => [symbol, id]))
    this.words = data.words.map(([text, count]) => {
      const symbols = this.bytes
        ? () => Array.from(encode(text))
        : () => [...text, ...(this.end ? [this.end] : [])].map((sign) => ids.get(sign) ?? 0)
      return new Word(this, count, symbols, LONGEST_WORD)
    })
  }

  get last() {
    return this.merges.length
  }
}

export class Word {
  /** @type {number[] | null} */
  #first = null
  /** @type {Uint8Array | null} */
  #bytes = null
  /** @type {Unit[] | null} */
  #units = null
  /** @type {Cut[] | null} */
  #cuts = null
  /** Whether only its beginning is shown. */
  long = false

  /**
   * @param {Training} training
   * @param {number} count
   * @param {() => number[]} symbols those before the first merge
   * @param {number} [longest] how many of them are shown
   */
  constructor(training, count, symbols, longest = Infinity) {
    this.training = training
    this.longest = longest
    this.count = count
    this.symbols = symbols
  }

  /** The symbols at the start. */
  get first() {
    if (!this.#first) {
      const symbols = this.symbols()
      this.long = symbols.length > this.longest
      this.#first = symbols.slice(0, this.longest)
    }
    return this.#first
  }

  /** A word of bytes. */
  get bytes() {
    return (this.#bytes ??= Uint8Array.from(this.first))
  }

  /** The characters of a word of bytes. */
  get units() {
    return (this.#units ??= unitsOf(this.bytes))
  }

  /**
   * The symbols after the first `step` merges.
   * @param {number} step
   */
  cut(step) {
    if (this.first.length > REMEMBERED) return lastOf(this.applied(step))
    const cuts = (this.#cuts ??= this.applied(this.training.last))
    let [low, high] = [0, cuts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (cuts[middle][0] < step) low = middle
      else high = middle - 1
    }
    return cuts[low][1]
  }

  /**
   * Each cut that the first `step` merges make of the word, in order.
   * @param {number} step
   */
  applied(step) {
    /** @type {Cut[]} */
    const cuts = [[-1, this.first]]
    const { merges, ranks } = this.training
    for (;;) {
      const [last, symbols] = cuts[cuts.length - 1]
      const next = nextMerge(symbols, ranks, last)
      if (next === null || next >= step) return cuts
      const { left, right, new: made } = merges[next]
      cuts.push([next, mergePair(symbols, left, right, made)])
    }
  }
}

/** @param {readonly Cut[]} cuts */
const lastOf = (cuts) => cuts[cuts.length - 1][1]

/**
 * @param {Uint8Array | string} left
 * @param {Uint8Array | string} right
 */
const together = (left, right) =>
  typeof left === "string" || typeof right === "string"
    ? `${left}${right}`
    : Uint8Array.of(...left, ...right)

/**
 * The first merge behind `last` that fits anywhere, or null.
 * @param {readonly number[]} symbols
 * @param {Ranks} ranks
 * @param {number} last
 */
export function nextMerge(symbols, ranks, last) {
  /** @type {number | null} */
  let next = null
  for (let at = 0; at + 1 < symbols.length; at++) {
    for (const rank of ranks.get(pairKey(symbols[at], symbols[at + 1])) ?? []) {
      if (rank <= last) continue
      if (next === null || rank < next) next = rank
      break
    }
  }
  return next
}

/**
 * The symbols with each `left` before `right` joined to `made`, from the start.
 * @template Sign
 * @param {readonly Sign[]} symbols
 * @param {Sign} left
 * @param {Sign} right
 * @param {Sign} made
 */
export function mergePair(symbols, left, right, made) {
  /** @type {Sign[]} */
  const merged = []
  for (let at = 0; at < symbols.length; at++) {
    if (symbols[at] === left && symbols[at + 1] === right) {
      merged.push(made)
      at++
    } else merged.push(symbols[at])
  }
  return merged
}
