// What a token is, in one line, in the language of the page.

/** @import { Kind, Part, Token } from "./row.js" */
import { glyphOf } from "./glyphs.js"
import { hex } from "./utf8.js"
import { fill, range } from "./words.js"

export const MOST_CHARACTERS = 40 // a token of 128 spaces needs no 128 cells

/**
 * What Python says of tokens, in the language of the page; `names` are of characters without shape.
 * @typedef {Record<
 *   | "token" | "tokenOf" | "id" | "idName" | "kind" | "bytes" | "characters" | "byteOf" | "bytesOf"
 *   | "more" | "made" | "merge" | "seen" | "base" | "stops" | "occurs" | "once" | "times"
 *   | "previous" | "next" | "near" | "corpus" | "close" | "tokens" | "none" | "count" | "window" | "earlier" | "later"
 *   | "glyphs" | "beside" | "list" | "explain" | "hint" | "all" | "switches" | "card" | "colourBy"
 *   | "large" | "largeHint", string
 * > & {kinds: Record<Kind, string>, names: Record<string, string>, signs: Sign[]}} Words
 */
/**
 * A sign of the view: how it is drawn, the sign, and what it means.
 * @typedef {[string, string, string]} Sign
 */

/** Sentences about tokens, made of the words that Python sent. */
export class Speech {
  /** @param {Words} words */
  constructor(words) {
    this.words = words
  }

  /**
   * "bytes 2–3 of 3 of 中"
   * @param {Part} part
   */
  holds(part) {
    return fill(part.first === part.last ? this.words.byteOf : this.words.bytesOf, {
      range: range(part.first, part.last),
      size: part.unit.size,
      character: this.called(part.unit.text ?? ""),
    })
  }

  /** @param {string} character */
  called(character) {
    return this.words.names[character] ?? glyphOf(character)
  }

  /**
   * The text of a token in quotes, its partial characters in words.
   * @param {readonly Part[]} parts
   */
  spelled(parts) {
    /** @type {string[]} */
    const said = []
    let whole = ""
    const flush = () => {
      if (whole) said.push(`“${whole}”`)
      whole = ""
    }
    for (const part of parts.slice(0, MOST_CHARACTERS)) {
      const { text } = part.unit
      if (text !== null && part.whole && (parts.length > 1 || !this.words.names[text])) {
        whole += glyphOf(text)
        continue
      }
      flush()
      if (text === null) said.push(hex(part.bytes))
      else said.push(part.whole ? this.called(text) : this.holds(part))
    }
    flush()
    return said.join(" + ") + (parts.length > MOST_CHARACTERS ? " …" : "")
  }

  /**
   * The token in one line, without an id where it is null.
   * @param {Token} token
   * @param {number | null} id
   */
  line(token, id = token.id) {
    const { words } = this
    const { parts } = token
    const kind = token.kind(parts)
    const said = [fill(words.token, { number: token.number })]
    if (token.row.name) said.unshift(token.row.name)
    if (kind === "special" || kind === "bytes" || kind === "empty") said.push(words.kinds[kind])
    if (parts.length && kind !== "bytes") said.push(this.spelled(parts))
    if (id !== null) said.push(fill(words.id, { id: String(id) }))
    return said.join(" · ")
  }
}
