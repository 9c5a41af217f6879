// The text under the vocabulary of the moment: hover, keyboard, and the inspector of a token.

/** @import { Made } from "../../browser/inspector.js" */
/** @import { Token } from "../../browser/row.js" */
/** @import { Words } from "../../browser/speech.js" */
/** @import { Model, Now } from "./model.js" */
/** @import { Text } from "./text.js" */
import { arrange, element, Meanings, placeByKey } from "../../browser/elements.js"
import { drawParts } from "../../browser/glyphs.js"
import { Inspector } from "../../browser/inspector.js"
import { written } from "../../browser/row.js"
import { Speech } from "../../browser/speech.js"
import { INSIDE } from "./lists.js"

const FEW_TOKENS = 250 // drawn while the slider moves; the rest follows when it rests
const NEAR = 2 // neighbours in the vocabulary, on each side
const UNBROKEN = 20 // characters: a longer token may break across lines

/** @type {Meanings<Token>} */
const tokens = new Meanings()

export class TextPane {
  /** @type {Model} */
  model
  /** @type {Now} what the vocabulary is at the moment */
  now
  /** @type {Words} */
  words
  /** @type {Speech} */
  speech
  /** @type {Token | null} */
  pinned = null
  /** @type {{token: string, more: [string, string][]} | null} what Python says of a token */
  told = null
  /** @type {Map<string, HTMLElement>} the tokens drawn last, by their place in the text */
  drawn = new Map()

  /** @param {(hex: string) => void} ask asks Python about the bytes of a token */
  constructor(ask) {
    this.ask = ask
    this.node = element("div", "text")
    this.node.setAttribute("role", "listbox")
    this.status = element("p", "status quiet")
    this.inspector = new Inspector((token) => this.pin(token), () => this.pin(null))
    this.node.addEventListener("pointerover", (event) => {
      const token = tokens.at(event)
      if (token) this.say(this.line(token))
    })
    this.node.addEventListener("click", (event) => {
      const token = tokens.at(event)
      if (token) this.pin(token === this.pinned ? null : token)
    })
    this.node.addEventListener("pointerleave", () => this.say(this.words.hint))
    this.node.addEventListener("focusin", (event) => {
      const token = tokens.at(event)
      if (token) token.node?.setAttribute("aria-label", this.line(token))
    })
    this.node.addEventListener("keydown", (event) => this.press(event))
  }

  /** @param {Words} words */
  name(words) {
    this.words = words
    this.speech = new Speech(words)
    this.node.setAttribute("aria-label", words.tokens)
    this.say(words.hint)
  }

  /**
   * Begin anew, with another text or model.
   * @param {Model} model
   */
  clear(model) {
    if (model !== this.model) this.pinned = null
    this.model = model
    this.drawn = new Map()
    this.node.replaceChildren()
  }

  /**
   * Draw the text after `done` merges; `moving` leaves what takes long for when the slider rests.
   * @param {Text} text
   * @param {number} done
   * @param {Now} now
   * @param {boolean} moving
   */
  draw(text, done, now, moving) {
    const start = this.pinned?.start
    const row = text.row(done)
    this.now = now
    const fresh = done ? this.model.made[done - 1] : null
    const few = moving && !this.node.scrollTop
    /** @type {typeof this.drawn} */
    const drawn = new Map()
    for (const token of few ? row.tokens.slice(0, FEW_TOKENS) : row.tokens) {
      const special = row.special.has(token.i)
      const unknown = !special && this.isUnknown(token.id, now)
      const marks = `${unknown ? " unknown" : ""}${token.id === fresh ? " fresh" : ""}`
      const look = `token ${token.hue}${marks}`
      const key = `${token.start}-${token.end}${special ? "s" : ""}`
      const node = this.drawn.get(key) ?? drawToken(token, special)
      if (this.model.inside.has(token.id)) node.dataset.inside = INSIDE
      if (!node.textContent?.trim()) node.setAttribute("aria-label", this.line(token))
      if (node.className !== look) node.className = look
      tokens.set(node, token)
      token.node = node
      drawn.set(key, node)
    }
    arrange(this.node, [...drawn.values()])
    this.drawn = drawn
    const [first] = drawn.values()
    if (first) first.tabIndex = 0
    const pinned = row.tokens.find((token) => token.start === start && token.node)
    this.pin(pinned ?? null, false)
    return row
  }

  /**
   * Whether a symbol of characters has no entry in the vocabulary.
   * @param {number} id
   * @param {Now} now
   */
  isUnknown(id, now) {
    return !this.model.bytes && (id >= this.model.kind.length || now.gone.has(id))
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const token = tokens.at(event)
    if (!token) return
    const to = placeByKey(event.key, token.index, token.row.total - 1)
    const next = to === undefined ? undefined : token.row.tokens[to]
    if (event.key === "Enter" || event.key === " ") this.pin(token)
    else if (next?.node) {
      if (token.node) token.node.tabIndex = -1
      next.node.tabIndex = 0
      next.node.focus()
      this.say(this.line(next))
    } else return
    event.preventDefault()
  }

  /**
   * The id in the whole vocabulary, where the token is in it.
   * @param {Token} token
   */
  idOf(token) {
    const { model } = this
    if (model.bytes || token.row.special.has(token.i)) return token.id
    return model.ids[token.id] ?? null
  }

  /** @param {Token} token */
  line(token) {
    return this.speech.line(token, this.idOf(token))
  }

  /** @param {string} text */
  say(text) {
    this.status.textContent = text
  }

  /**
   * @param {Token | null} token
   * @param {boolean} [show] brings it into sight
   */
  pin(token, show = true) {
    this.pinned?.node?.removeAttribute("aria-selected")
    this.pinned = token
    token?.node?.setAttribute("aria-selected", "true")
    this.inspector.draw(token, this.speech, token && this.madeOf(token))
    if (!token) return
    const shown = this.inspector.node.querySelector("dd")
    if (shown) shown.textContent = String(this.idOf(token) ?? "–")
    if (!show) return
    token.node?.scrollIntoView({ block: "nearest" })
    this.ask(token.hex)
  }

  /**
   * @param {Token} token
   * @returns {Made | null}
   */
  madeOf(token) {
    const { model } = this
    if (token.row.special.has(token.i) || token.id >= model.kind.length) return null
    const part = (/** @type {number} */ id) => ({
      id: model.bytes ? id : null,
      inside: model.inside.has(id) ? INSIDE : "",
      ...written([model.spelled[id]]),
    })
    const { ids, occurs } = this.now
    const at = ids.indexOf(token.id)
    const near = at < 0 ? [] : ids.slice(Math.max(at - NEAR, 0), at + NEAR + 1)
    const more = {
      corpus: occurs[token.id],
      near: near.filter((id) => id !== token.id).map(part),
      more: this.told?.token === token.hex ? this.told.more : [],
    }
    const rank = model.by.get(token.id)
    if (rank === undefined) return { rank: null, parts: [], count: null, ...more }
    const parts = [part(model.left[rank]), part(model.right[rank])]
    return { rank: rank + 1, parts, count: model.count[rank], ...more }
  }
}

/**
 * @param {Token} token
 * @param {boolean} special
 */
function drawToken(token, special) {
  const { parts } = token
  const node = element("span")
  node.setAttribute("role", "option")
  node.tabIndex = -1
  if (special) node.dataset.kind = "special"
  drawParts(node, parts)
  if (parts.length <= UNBROKEN) node.style.whiteSpace = "pre"
  return node
}
