// The panel on one token.

/** @import { Characters, Part } from "./row.js" */
/** @import { Speech, Words } from "./speech.js" */
import { arrange, button, element } from "./elements.js"
import { codePoint, drawParts, glyphOf } from "./glyphs.js"
import { partsOf, Token } from "./row.js"
import { MOST_CHARACTERS } from "./speech.js"
import { hex } from "./utf8.js"
import { fill, shorten } from "./words.js"

/** @typedef {Characters & {id: number | null, sizes: number[], inside?: string}} MadeOf */
/**
 * How a token was made; without parts it is a symbol from the start, without rank merges stop at
 * its parts. `id` is null where a part is in no vocabulary, `count` where it is not known; `near` are
 * its neighbours in the vocabulary, `corpus` is how often it stands in the corpus, `more` are names
 * with what is said.
 * @typedef {{
 *   rank: number | null, count: number | null,
 *   parts: MadeOf[], near?: MadeOf[], corpus?: number, more?: [string, string][],
 * }} Made
 */

/** The panel on one token. */
export class Inspector {
  /**
   * @param {(token: Token | null) => void} go pins another token
   * @param {() => void} close pins none
   * @param {(code: string) => void} [act] asks Python for one of the actions
   */
  constructor(go, close, act = () => {}) {
    this.node = element("section", "inspector")
    this.node.hidden = true
    this.buttons = element("div", "actions")
    this.drawnActions = ""
    this.go = go
    this.close = close
    this.act = act
  }

  /**
   * @param {Token | null} token
   * @param {Speech} speech
   * @param {Made | null} made
   * @param {[string, string][]} [actions] code and label of each
   */
  draw(token, speech, made, actions = []) {
    this.node.hidden = token === null
    if (token === null) {
      this.node.replaceChildren()
      return
    }
    const { words } = speech
    const { parts } = token
    const kind = token.kind(parts)
    const title = fill(words.tokenOf, { number: token.number, total: token.row.total })
    this.node.setAttribute("aria-label", title)

    const chip = element("span", `token ${token.hue}`)
    chip.dataset.kind = kind
    drawParts(chip, parts.slice(0, MOST_CHARACTERS), false, token.row.space)
    const close = button("×", this.close, "close")
    close.setAttribute("aria-label", words.close)
    const head = element("div", "head")
    head.append(chip, element("span", "title", title))
    if (token.row.name) head.append(element("span", "title", `· ${token.row.name}`))
    head.append(close)

    const facts = element("dl", "facts")
    const fact = (/** @type {string} */ name, /** @type {(string | Node)[]} */ ...content) => {
      const value = element("dd")
      value.append(...content)
      facts.append(element("dt", null, name), value)
    }
    fact(words.idName, element("span", "mono", String(token.id)))
    fact(words.kind, fill(words.kinds[kind], { n: parts.length }))
    fact(words.bytes, element("span", "mono", shorten(token.hex, 240)))
    for (const [name, said] of made?.more ?? []) fact(name, said)
    if (parts.length) fact(words.characters, this.characters(token, parts, speech))
    if (made) fact(words.made, ...this.made(made, words))
    fact(words.occurs, ...this.places(token, words))
    if (made?.corpus !== undefined) fact(words.corpus, times(made.corpus, words))
    if (made?.near?.length) fact(words.near, ...made.near.flatMap((part) => [pieceOf(part), " "]))
    this.drawActions(actions)
    arrange(this.node, [head, ...(actions.length ? [this.buttons] : []), facts])
  }

  /**
   * Draw a button for each action. Equal ones stay in place: one may be half pressed.
   * @param {[string, string][]} actions
   */
  drawActions(actions) {
    const wanted = JSON.stringify(actions)
    if (wanted === this.drawnActions) return
    this.drawnActions = wanted
    this.buttons.replaceChildren(
      ...actions.map(([code, label]) => button(label, () => this.act(code))),
    )
  }

  /**
   * Each character with all its bytes: those of this token filled, the others in the colour of
   * the token that holds them, which a click opens.
   * @param {Token} token
   * @param {readonly Part[]} parts
   * @param {Speech} speech
   */
  characters(token, parts, speech) {
    const { row } = token
    const all = element("div", "characters")
    for (const part of parts.slice(0, MOST_CHARACTERS)) {
      const { start, size, text } = part.unit
      const box = element("div", "character")
      box.append(element("span", "glyph", text === null ? "–" : glyphOf(text)))
      const cells = element("span", "cells")
      for (let at = start; at < start + size; at++) {
        const holder = new Token(row, row.tokenOf[at])
        const drawn = row.token(holder.index)
        const cell = button(hex([row.bytes[at]]), () => this.go(drawn))
        cell.className = `cell ${(drawn ?? holder).hue}`
        cell.disabled = holder.i === token.i || !drawn
        if (holder.i === token.i) cell.classList.add("held")
        else {
          cell.title = speech.line(holder)
          cell.setAttribute("aria-label", cell.title)
        }
        cells.append(cell)
      }
      box.append(cells)
      if (text !== null) box.append(element("span", "mono", codePoint(text)))
      if (text !== null && !part.whole) box.append(element("span", "holds", speech.holds(part)))
      all.append(box)
    }
    const more = parts.length - MOST_CHARACTERS
    if (more > 0) all.append(element("span", "quiet", fill(speech.words.more, { n: more })))
    return all
  }

  /**
   * @param {Made} made
   * @param {Words} words
   */
  made(made, words) {
    if (!made.parts.length) return [words.base]
    const how = made.rank === null ? words.stops : fill(words.merge, { rank: made.rank })
    /** @type {(string | Node)[]} */
    const said = [how, " "]
    made.parts.forEach((part, n) => said.push(...(n ? [" + "] : []), pieceOf(part)))
    if (made.count !== null) {
      said.push(" ", element("span", "quiet", fill(words.seen, { n: made.count })))
    }
    return said
  }

  /**
   * How often the id stands in the whole text, with ways to its other places in the window.
   * @param {Token} token
   * @param {Words} words
   */
  places(token, words) {
    const { row, id } = token
    const here = row.places.get(id) ?? []
    const total = row.counts ? row.counts[id] : here.length
    /** @type {(string | Node)[]} */
    const said = [times(total, words)]
    if (here.length > 1) {
      const at = here.indexOf(token)
      const to = (/** @type {string} */ label, /** @type {number} */ step) =>
        button(label, () => this.go(here[(at + step + here.length) % here.length]))
      said.push(" ", to(words.previous, -1), " ", to(words.next, 1))
    }
    return said
  }
}

/** @param {MadeOf} part */
function pieceOf(part) {
  const chip = element("span", "piece")
  if (part.inside) chip.dataset.inside = part.inside
  drawParts(chip, partsOf(part))
  if (part.id !== null) chip.append(element("span", "mono small", String(part.id)))
  return chip
}

/**
 * @param {number} n
 * @param {Words} words
 */
const times = (n, words) => fill(n === 1 ? words.once : words.times, { n })
