// The letters of the text, unseen, in blocks of lines, of which an edit lays out few again.
//
// They are the same as in the textarea, in one text node for some lines. There are no elements along
// a line: Chromium rounds the width of each up, and lines would break elsewhere than in the
// textarea. Blocks that are not needed stay until tidy() is called: Chromium undoes one letter at a
// time where a node was removed between two keys.

/** @import { Change } from "./cells.js" */

const BLOCK = 600 // characters, at least: then a block of lines ends at the next line break

/** Some lines: their letters, and how many they are, the last line break included. @typedef {{node: HTMLElement, letters: Text, size: number}} Block */

export class Layer {
  /** @type {Block[]} */
  blocks = []
  /** @type {HTMLElement[]} */
  #spares = []

  /** @param {HTMLElement} node */
  constructor(node) {
    this.node = node
    this.write("", { at: 0, removed: 0, inserted: 0 })
  }

  /**
   * Change the letters to those of `text`.
   * @param {string} text
   * @param {Change} change from the text of before
   */
  write(text, { at, removed, inserted }) {
    const { blocks } = this
    let first = 0
    let start = 0
    while (first < blocks.length - 1 && start + blocks[first].size <= at) {
      start += blocks[first++].size
    }
    let last = first
    let end = start
    while (last < blocks.length && (last === first || end < at + removed)) {
      end += blocks[last++].size
    }
    end += inserted - removed
    while (last < blocks.length && (end === start || text[end - 1] !== "\n")) {
      end += blocks[last++].size
    }
    const old = blocks.slice(first, last)
    const isEnd = last === blocks.length
    const behind = blocks[last]?.node ?? null
    const pieces = linesOf(text, start, end)
    if (isEnd && !pieces.length) pieces.push("")
    const now = pieces.map((piece, n) => {
      const block = old[n] ?? this.#insert(behind)
      // The last line has a height even where it is empty.
      const data = isEnd && n === pieces.length - 1 ? `${piece}\u200b` : piece
      if (block.letters.data !== data) block.letters.data = data
      return { ...block, size: piece.length }
    })
    for (const { node, letters } of old.slice(now.length)) {
      letters.data = ""
      this.#spares.push(node)
    }
    blocks.splice(first, last - first, ...now)
  }

  /** @param {HTMLElement | null} behind */
  #insert(behind) {
    const node = document.createElement("div")
    const letters = document.createTextNode("")
    node.append(letters)
    this.node.insertBefore(node, behind)
    return { node, letters, size: 0 }
  }

  /** Remove what edits left over, in a pause of typing. */
  tidy() {
    for (const spare of this.#spares.splice(0)) spare.remove()
  }
}

/**
 * The text between two places in pieces that end at line breaks.
 * @param {string} text
 * @param {number} start
 * @param {number} end
 */
export function linesOf(text, start, end) {
  const pieces = []
  for (let from = start; from < end;) {
    const line = end - from > BLOCK * 2 ? text.indexOf("\n", from + BLOCK) + 1 : 0
    const until = line && line < end ? line : end
    pieces.push(text.slice(from, until))
    from = until
  }
  return pieces
}
