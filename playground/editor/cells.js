// A text as coloured cells. A cell is a run of characters that belong to the same tokens: one token
// for most; several where tokens share the bytes of one character.

import { HUES } from "../browser/elements.js"
import { sizeOf } from "../browser/utf8.js"

const OPEN = 40 // UTF-16 units: less than that, typed at the end of a token, looks like part of it

/**
 * Cells of a text: the UTF-16 units and the tokens of each, 0 for what no token is known of; and 1
 * where its first token is the last one of the cell before.
 * @typedef {{length: number[], tokens: number[], joined: number[]}} Cut
 */
/** Cells with the hue of the first token of each. @typedef {Cut & {hue: number[]}} Coloured */
/** Where two texts differ, in UTF-16 units. @typedef {{at: number, removed: number, inserted: number}} Change */

/**
 * Cells of `text` under tokens of so many bytes.
 * @param {string} text
 * @param {readonly number[]} sizes
 */
export function cellsOf(text, sizes) {
  /** @type {Cut} */
  const cells = { length: [], tokens: [], joined: [] }
  let token = 0
  let end = sizes[0] ?? 0 // in bytes, of this token
  let at = 0 // bytes
  let open = 0 // UTF-16 units of the cell that is not complete
  let joined = 0
  const close = (/** @type {number} */ length, /** @type {number} */ tokens) => {
    cells.length.push(length)
    cells.tokens.push(tokens)
    cells.joined.push(joined)
  }
  const next = () => {
    token += 1
    end += sizes[token] ?? Infinity
  }
  for (const character of text) {
    at += sizeOf(character.codePointAt(0) ?? 0)
    if (end >= at) open += character.length
    else {
      if (open) {
        close(open, 1)
        joined = 1
      }
      open = 0
      let tokens = 1
      while (end < at) {
        next()
        tokens += 1
      }
      close(character.length, tokens)
      joined = 1
    }
    if (end === at) {
      if (open) close(open, 1)
      open = 0
      joined = 0
      while (end === at && token < sizes.length) next()
    }
  }
  if (open) close(open, 1)
  return cells
}

/**
 * @param {string} before
 * @param {string} after
 * @returns {Change}
 */
export function difference(before, after) {
  const most = Math.min(before.length, after.length)
  let at = 0
  while (at < most && before.charCodeAt(at) === after.charCodeAt(at)) at++
  let tail = 0
  while (
    tail < most - at &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) tail++
  return { at, removed: before.length - at - tail, inserted: after.length - at - tail }
}

/** The cells of a text while it is edited. */
export class Cells {
  /** @type {Coloured} */
  all = { length: [], tokens: [], joined: [], hue: [] }

  get count() {
    return this.all.length.length
  }

  /**
   * Follow an edit before the server has answered: old colours stay where their text is.
   * @param {Change} change
   */
  edit({ at, removed, inserted }) {
    if (!removed && !inserted) return
    const { all } = this
    const { cell: first, start } = this.#cellAt(at)
    /** @type {Coloured} */
    const edited = { length: [], tokens: [], joined: [], hue: [] }
    const add = (/** @type {number} */ cell, /** @type {number} */ length) => {
      if (length <= 0) return
      edited.length.push(length)
      edited.tokens.push(all.tokens[cell] ?? 0)
      edited.joined.push(all.joined[cell] ?? 0)
      edited.hue.push(all.hue[cell] ?? 0)
    }
    let until = start
    let end = first
    let left = 0 // of the first cell
    let right = 0 // of the last
    let rightCell = first
    while (end < this.count && (until < at + removed || end === first)) {
      const begin = until
      until += all.length[end]
      if (begin < at) left = at - begin
      if (until > at + removed) {
        right = until - Math.max(at + removed, begin)
        rightCell = end
      }
      end += 1
      if (until >= at + removed && until > at) break
    }
    if (right && left && rightCell === first) {
      add(first, left + inserted + right) // inside one token: it grows or shrinks
    } else if (inserted && left && inserted < OPEN) {
      add(first, left + inserted)
      add(rightCell, right)
    } else if (inserted && !left && first > 0 && inserted < OPEN) {
      // At the end of a token: it grows until the server says otherwise.
      add(first - 1, all.length[first - 1] + inserted)
      add(rightCell, right)
      this.#splice(first - 1, end, edited)
      return
    } else {
      add(first, left)
      add(-1, inserted)
      add(rightCell, right)
    }
    this.#splice(first, end, edited)
  }

  /** @param {number} at */
  #cellAt(at) {
    const { length } = this.all
    let start = 0
    let cell = 0
    while (cell < length.length && start + length[cell] <= at) start += length[cell++]
    return { cell, start }
  }

  /**
   * Take over the cells of the server's answer; what is the same as before does not change its hue.
   * @param {Cut} cells
   */
  answer(cells) {
    const { all } = this
    const total = cells.length.length
    const now = this.count
    const same = (/** @type {number} */ i, /** @type {number} */ j) =>
      all.length[i] === cells.length[j] &&
      all.tokens[i] === cells.tokens[j] &&
      all.joined[i] === cells.joined[j]
    let first = 0
    while (first < Math.min(total, now) && same(first, first)) first++
    let tail = 0
    while (tail < Math.min(total, now) - first && same(now - 1 - tail, total - 1 - tail)) tail++
    if (first === total && first === now) return
    const length = cells.length.slice(first, total - tail)
    const tokens = cells.tokens.slice(first, total - tail)
    const joined = cells.joined.slice(first, total - tail)
    const hue = this.#hues(tokens, joined, first, now - tail)
    this.#splice(first, now - tail, { length, tokens, joined, hue })
  }

  /**
   * Hues for new cells between the cells before `first` and those from `behind` on.
   * @param {readonly number[]} tokens
   * @param {readonly number[]} joined
   * @param {number} first
   * @param {number} behind
   */
  #hues(tokens, joined, first, behind) {
    const { all } = this
    const before = first ? lastHue(all.hue[first - 1], Math.max(all.tokens[first - 1], 1)) : 0
    let last = before
    const hues = tokens.map((count, n) => {
      const own = joined[n] ? Math.max(last, 0) : (last + 1) % HUES
      last = lastHue(own, count)
      return own
    })
    const end = hues.length - 1
    const meets = end >= 0 && behind < this.count && last === all.hue[behind]
    if (!meets || all.joined[behind] || joined[end]) return hues
    // The last new token would look like the old one behind it.
    const neighbour = end ? lastHue(hues[end - 1], tokens[end - 1]) : before
    for (let other = 1; other < HUES; other++) {
      const own = (hues[end] + other) % HUES
      if (own === neighbour || lastHue(own, tokens[end]) === all.hue[behind]) continue
      hues[end] = own
      break
    }
    return hues
  }

  /**
   * Put other cells in the place of those from `first` to before `end`.
   * @param {number} first
   * @param {number} end
   * @param {Coloured} cells
   */
  #splice(first, end, cells) {
    for (const what of /** @type {const} */ (["length", "tokens", "joined", "hue"])) {
      // Few as arguments of one call, which takes some thousands; many copied.
      if (cells.length.length < 1000) this.all[what].splice(first, end - first, ...cells[what])
      else {this.all[what] = this.all[what].slice(0, first).concat(
          cells[what],
          this.all[what].slice(end),
        )}
    }
  }
}

/**
 * The hue of the last of some tokens.
 * @param {number} hue of the first
 * @param {number} tokens
 */
const lastHue = (hue, tokens) => (hue + tokens - 1) % HUES

/**
 * The cells of a text that has no colours.
 * @param {string} text
 */
export const uncoloured = (text) =>
  text
    ? { length: [text.length], tokens: [0], joined: [0] }
    : { length: [], tokens: [], joined: [] }
