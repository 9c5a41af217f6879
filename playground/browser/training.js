// A training as Python recorded it: words, merges in order, and what was counted in every round.
// A word as it stood after k merges is worked out here, by applying the first k merges to it.

import { characterAt, encode, spell } from "./utf8.js"

const LONGEST_WORD = 400 // symbols at the start; a longer word is shown up to there

const REMEMBERED = 64 // symbols at the start of a word whose cuts are kept

export const pairKey = (left, right) => left * 0x200000 + right

export class Training {
  constructor(data) {
    this.bytes = data.unit === "bytes"
    this.end = data.end
    this.spelling = data.symbols.map((symbol) => (this.bytes ? Uint8Array.of(symbol) : symbol))
    this.base = this.spelling.length
    this.specials = data.specials
    this.merges = [] // {left, right, new, count}
    this.ranks = new Map() // pair -> the numbers of its merges, ascending; mostly one
    for (let at = 0; at < data.merges.length; at += 4) {
      const [left, right, made, count] = data.merges.slice(at, at + 4)
      const key = pairKey(left, right)
      this.ranks.set(key, [...(this.ranks.get(key) ?? []), this.merges.length])
      this.merges.push({ left, right, new: made, count })
      this.spelling[made] = this.join(this.spelling[left], this.spelling[right])
    }
    this.rounds = data.rounds.map(([top, ties, tokens, size, changed, changedTotal, removed]) => {
      const pairs = []
      for (let at = 0; at < top.length; at += 4) {
        const [left, right, count, before] = top.slice(at, at + 4)
        pairs.push({ left, right, count, before })
      }
      return { pairs, ties, tokens, size, changed, changedTotal, removed }
    })
    // Which merge made a symbol first; base symbols have none.
    this.madeBy = new Map()
    this.merges.forEach((merge, number) => {
      if (!this.madeBy.has(merge.new)) this.madeBy.set(merge.new, number)
    })
    const ids = new Map()
    if (!this.bytes) this.spelling.slice(0, this.base).forEach((symbol, id) => ids.set(symbol, id))
    this.words = data.words.map(([text, count]) => new Word(this, text, count, ids))
  }

  join(left, right) {
    return this.bytes ? Uint8Array.of(...left, ...right) : left + right
  }

  get last() {
    return this.merges.length
  }
}

export class Word {
  constructor(training, text, count, ids) {
    this.training = training
    this.text = text
    this.count = count
    this.ids = ids
  }

  /** The symbols at the start. */
  get first() {
    if (this.start) return this.start
    const { bytes, end } = this.training
    const symbols = bytes
      ? Array.from(encode(this.text))
      : [...this.text, ...(end ? [end] : [])].map((symbol) => this.ids.get(symbol))
    this.long = symbols.length > LONGEST_WORD
    this.start = this.long ? symbols.slice(0, LONGEST_WORD) : symbols
    return this.start
  }

  /** The characters of a word of bytes: {start, size, text}. */
  get characters() {
    if (!this.units) {
      this.units = []
      const bytes = Uint8Array.from(this.first)
      for (let at = 0; at < bytes.length;) {
        const [size, valid] = characterAt(bytes, at)
        this.units.push({ start: at, size, text: valid ? spell(bytes, at, size) : null })
        at += size
      }
    }
    return this.units
  }

  /** The symbols after the first `step` merges. */
  cut(step) {
    if (this.first.length > REMEMBERED) return this.applied(step).at(-1)[1]
    this.cuts ??= this.applied(this.training.last) // [number of the merge, symbols]
    let [low, high] = [0, this.cuts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.cuts[middle][0] < step) low = middle
      else high = middle - 1
    }
    return this.cuts[low][1]
  }

  /** Each cut that the first `step` merges make of the word, in order. */
  applied(step) {
    const cuts = [[-1, this.first]]
    const { merges } = this.training
    for (;;) {
      const [last, symbols] = cuts.at(-1)
      const next = nextMerge(symbols, this.training.ranks, last, step)
      if (next === step) return cuts
      const { left, right, new: made } = merges[next]
      cuts.push([next, mergePair(symbols, left, right, made)])
    }
  }
}

/** The number of the first merge behind `last` and before `step` that fits; else `step`. */
function nextMerge(symbols, ranks, last, step) {
  let next = step
  for (let at = 0; at + 1 < symbols.length; at++) {
    for (const rank of ranks.get(pairKey(symbols[at], symbols[at + 1])) ?? []) {
      if (rank <= last) continue
      if (rank < next) next = rank
      break
    }
  }
  return next
}

export function mergePair(symbols, left, right, made) {
  const merged = []
  for (let at = 0; at < symbols.length; at++) {
    if (symbols[at] === left && symbols[at + 1] === right) {
      merged.push(made)
      at++
    } else merged.push(symbols[at])
  }
  return merged
}
