// The token view in the browser. Python sends windows of tokens as arrays (ids, byte lengths, the
// joined bytes); marks and the inspector are drawn here, so that hover and keyboard answer at once.
// One text is drawn as it runs; the same text under several tokenizers in rows, cut into blocks at
// the boundaries that all of them have.

/** @import { Made } from "../browser/inspector.js" */
/** @import { RowData, Token } from "../browser/row.js" */
/** @import { Words } from "../browser/speech.js" */
import { button, element, mounted, placeByKey, redraw, View } from "../browser/elements.js"
import { Inspector } from "../browser/inspector.js"
import { largeButton } from "../browser/large.js"
import { Row } from "../browser/row.js"
import { Speech } from "../browser/speech.js"
import { shorten } from "../browser/words.js"
import { countAndPages, legendOf, toggle, totalsOf } from "./bar.js"
import { Blocks } from "./blocks.js"
import { saveCard } from "./card.js"
import { drawIds, drawText } from "./chunks.js"
import { isTyping, Pane } from "./pane.js"
import { placeBeside } from "./placing.js"
import { paint, scrollInto, tokenBeside, tokens } from "./tokens.js"

const FOLDED_LINES = 2 // of blocks, under several tokenizers, until all are asked for
const LINE_GAP = 6 // pixels
const TIDY_DELAY = 800 // ms without another text
const STILL = 4 // pixels: a pointer that went further selects text
const PIN_DELAY = 250 // ms: arrow keys walk over many tokens, Python is told the last

/**
 * What Python sends. `of` names the text; what is drawn anew when it changes has a `version`;
 * `blocks` says how many tokens each row has in each block, null for one text as it runs.
 * @typedef {{
 *   of: string, version: string, rows: (RowData & {measure: string, code: string})[], blocks: number[][] | null,
 *   list: boolean, base: number | null, controls: boolean, actions: [string, string][],
 *   start: number, earlier: number | null, later: number | null,
 *   pinned: {row: number, index: number} | null,
 *   made: (Made & {of: number, id: number}) | null,
 *   labels: Words, note: string | null, height: number,
 * }} Data
 */

/** @extends {View<Data>} */
class TokenView extends View {
  /** @type {Data} */
  data
  /** @type {Words} */
  words
  /** @type {Speech} */
  speech
  /** @type {Data | null} the newest, while drawing it waits */
  next = null
  /** @type {string | null} */
  version = null
  /** What is written, to be written again when the language changes. */
  language = ""
  barSays = ""
  /** @type {string | null} the version whose ids are listed */
  listed = null
  /** What the inspector shows. */
  shown = ""
  destroyed = false
  /** @type {Row[]} */
  rows = []
  /** @type {Token | null} */
  pinned = null
  /** @type {Token | null} where Tab enters */
  current = null
  /** @type {Token | null} */
  hovered = null
  /** @type {Token[]} */
  marked = []
  show = { glyphs: true, beside: false, all: false, list: /** @type {boolean | null} */ (null) }
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer = undefined
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  tidying = undefined

  /** @param {HTMLElement | ShadowRoot} parent */
  constructor(parent) {
    super()
    this.root = element("div", "view")
    parent.append(this.root)
    this.note = element("p", "note")
    this.bar = element("div", "bar")
    this.pane = new Pane()
    this.text = this.pane.node
    this.blocks = new Blocks(this.pane)
    this.list = element("div", "ids")
    this.list.setAttribute("aria-hidden", "true") // each token's label says its id
    this.list.tabIndex = -1
    this.status = element("p", "status")
    this.status.setAttribute("aria-hidden", "true")
    this.inspector = new Inspector(
      (token) => {
        if (!token) return
        this.focus(token)
        this.pin(token)
      },
      () => {
        if (this.pinned) this.focus(this.pinned)
        this.pin(null)
      },
      (code) => this.setTriggerValue("act", { of: this.data.of, code, ...this.place() }),
    )
    this.totals = element("div", "totals")
    this.card = element("div")
    this.legend = element("dl", "legend")
    this.legend.hidden = true
    this.stage = element("div", "stage")
    this.stage.append(this.totals, this.text)
    this.whole = toggle("", false, () => this.unfold(!this.show.all))
    this.whole.classList.add("whole")
    this.large = largeButton(this.root)
    const { root, inspector, stage } = this
    root.append(this.note, this.bar, this.card, this.legend, stage, this.status, this.list)
    root.append(inspector.node)
    this.resized = new ResizeObserver(() => {
      if (this.version && this.data.blocks) this.blocks.name(this.rows)
      this.fold()
      this.placeInspector()
    })
    this.resized.observe(this.text)
    this.text.addEventListener("scroll", () => this.placeInspector())
    // The inspector lies over the page: a click beside it puts it away.
    this.onPress = (/** @type {PointerEvent} */ event) => {
      /** @type {EventTarget[]} */
      const stays = [inspector.node, this.text, this.list]
      const inside = event.composedPath().some((node) =>
        stays.includes(node) || (node instanceof Element && node.role === "dialog")
      )
      if (this.pinned && !inside) this.pin(null)
    }
    document.addEventListener("pointerdown", this.onPress)

    for (const pane of [this.text, this.list]) {
      pane.addEventListener("pointerover", (event) => this.hover(tokens.at(event)))
      pane.addEventListener("pointerleave", () => this.hover(null))
      // A token that moves while it is pressed, as the page grows, is the one that was meant.
      /** @type {{token: Token | null, x: number, y: number}} */
      let pressed = { token: null, x: 0, y: 0 }
      pane.addEventListener("pointerdown", (event) => {
        pressed = { token: tokens.at(event) ?? null, x: event.clientX, y: event.clientY }
      })
      pane.addEventListener("click", (event) => {
        const { token: at, x, y } = pressed
        pressed.token = null
        const stays = Math.hypot(event.clientX - x, event.clientY - y) < STILL
        const token = stays && at && this.rows.includes(at.row) ? at : tokens.at(event)
        if (!token) return
        this.focus(token)
        this.pin(token === this.pinned ? null : token)
      })
    }
    this.text.addEventListener("keydown", (event) => this.press(event))
    this.text.addEventListener("focusin", (event) => {
      const { target } = event
      if (target instanceof Element && target.matches(":focus-visible")) {
        this.hover(tokens.at(event))
      }
    })
    this.text.addEventListener("focusout", () => this.hover(null))
  }

  destroy() {
    this.destroyed = true
    clearTimeout(this.timer)
    clearTimeout(this.tidying)
    this.resized.disconnect()
    document.removeEventListener("pointerdown", this.onPress)
    this.root.remove()
  }

  /**
   * Take over what Python says. While the reader types, the editor's colours are painted first.
   * @param {Data} data
   */
  update(data) {
    const waits = this.next !== null
    this.next = data
    if (waits) return
    const now = () => {
      const newest = this.next
      this.next = null
      if (newest && !this.destroyed) this.draw(newest)
    }
    if (this.version === null || data.version === this.version || !isTyping()) now()
    else requestAnimationFrame(() => setTimeout(now))
  }

  /** @param {Data} data */
  draw(data) {
    this.data = data
    this.words = data.labels
    this.speech = new Speech(data.labels)
    const fresh = data.version !== this.version
    if (fresh) this.drawTokens(data)
    const language = JSON.stringify(data.labels)
    if (language !== this.language || (fresh && !isTyping())) this.name()
    if (language !== this.language) this.legend.replaceChildren(...legendOf(data.labels.signs))
    this.language = language
    this.drawBar()
    this.totals.hidden = !data.blocks || !this.rows[0].total
    if (!this.totals.hidden) {
      const choose = (/** @type {number} */ row) =>
        this.setTriggerValue("act", { of: data.of, code: "base", row, index: 0 })
      this.totals.replaceChildren(...totalsOf(data.rows, data.base, this.words.colourBy, choose))
    }
    if (data.blocks) this.blocks.name(this.rows)
    this.fold()
    this.note.textContent = data.note ?? ""
    this.note.hidden = !data.note
    this.drawList()
    this.mark()
    this.say()
    this.drawInspector()
  }

  // Drawing the panes

  /** @param {Data} data */
  drawTokens(data) {
    this.version = data.version
    this.card.replaceChildren()
    this.unmark()
    this.rows = data.rows.map((row) => new Row(row))
    clearTimeout(this.timer)
    this.current = this.rows[0].tokens[0] ?? null
    this.pinned = data.pinned && this.rows[data.pinned.row].token(data.pinned.index)
    this.show.list ??= data.list
    this.root.style.setProperty("--height", `${data.height}px`)
    this.root.classList.toggle("aligned", Boolean(data.blocks))
    clearTimeout(this.tidying)
    if (data.blocks) this.blocks.draw(this.rows, data.blocks)
    else {
      this.blocks.clear()
      this.pane.put(drawText(this.rows[0]))
    }
    if (this.current?.node) this.current.node.tabIndex = 0
    if (!isTyping()) this.pane.sweep()
    else {
      this.tidying = setTimeout(() => {
        this.pane.sweep()
        this.name()
      }, TIDY_DELAY)
    }
  }

  /** Show the first lines of blocks, and the rest where it is asked for. */
  fold() {
    const { root, stage, whole, show } = this
    const start = stage.getBoundingClientRect().top - stage.scrollTop
    let [lines, last] = [0, -Infinity]
    whole.hidden = true
    for (const block of this.data?.blocks ? this.text.querySelectorAll(".block") : []) {
      const { top, height } = block.getBoundingClientRect()
      if (!height || top <= last + 1) continue
      last = top
      if (++lines <= FOLDED_LINES) continue
      root.style.setProperty("--fold", `${top - start - LINE_GAP}px`)
      whole.hidden = false
      break
    }
    whole.textContent = this.words.all
    root.classList.toggle("folded", !whole.hidden && !show.all)
  }

  /** @param {boolean} all */
  unfold(all) {
    this.show.all = all
    this.whole.setAttribute("aria-pressed", String(all))
    this.stage.scrollTop = 0
    this.fold()
    return all
  }

  drawList() {
    this.list.hidden = !this.show.list || Boolean(this.data.blocks) || !this.rows[0].count
    if (this.list.hidden || this.listed === this.version) return
    this.listed = this.version
    this.list.replaceChildren(...drawIds(this.rows[0]))
  }

  /** Label everything in the page's language. */
  name() {
    this.text.setAttribute("aria-label", this.words.tokens)
    for (const row of this.rows) {
      for (const token of row.tokens) {
        token.node?.setAttribute("aria-label", this.speech.line(token))
      }
    }
  }

  drawBar() {
    const { data, words, show } = this
    const { first, count, total, name } = this.rows[0]
    const windows = [first, count, total, name, data.earlier, data.later]
    const says = [this.language, data.blocks && count === total ? total > 0 : windows]
    if (this.barSays === JSON.stringify(says)) return
    this.barSays = JSON.stringify(says)
    const turn = (/** @type {number} */ start) => {
      this.pinned = null
      this.tell(start)
    }
    this.bar.replaceChildren(...countAndPages(data, this.rows[0], turn))
    if (!total) return
    const toggles = element("span", "toggles")
    const add = (/** @type {keyof typeof show} */ what, /** @type {string} */ label) => {
      const press = () => {
        show[what] = !show[what]
        this.switch()
        return show[what]
      }
      toggles.append(toggle(label, Boolean(show[what]), press))
    }
    add("glyphs", words.glyphs)
    add("beside", words.beside)
    if (!data.blocks) add("list", words.list)
    const { legend } = this
    const explain = () => !(legend.hidden = !legend.hidden)
    toggles.append(toggle(words.explain, !legend.hidden, explain, "aria-expanded"))
    if (data.blocks) {
      this.large.textContent = words.large
      this.large.title = words.largeHint
      toggles.append(this.large)
      this.bar.prepend(this.whole)
      this.bar.append(this.status)
    }
    if (!data.controls) toggles.replaceChildren()
    else if (data.blocks) {
      const more = element("details", "more")
      const dots = element("summary", null, "⋯")
      dots.setAttribute("aria-label", words.switches)
      dots.title = words.switches
      more.append(dots, toggles)
      const save = () => this.card.replaceChildren(saveCard(this.rows, this.root))
      this.bar.append(button(words.card, save), more)
    }
    if (!data.blocks) this.bar.append(toggles)
    this.switch()
  }

  switch() {
    this.root.classList.toggle("with-glyphs", this.show.glyphs)
    this.root.classList.toggle("with-ids", this.show.beside)
    this.drawList()
    this.mark()
  }

  /** Name the token under the pointer in one line; without one, say what can be done. */
  say() {
    const token = this.hovered
    this.status.hidden = !this.current
    this.status.classList.toggle("quiet", !token)
    this.status.textContent = token
      ? `${this.speech.line(token)} · ${shorten(token.hex, 47)}`
      : this.words.hint
  }

  drawInspector() {
    const { made, actions } = this.data
    const place = this.place()
    const known = made && made.id === this.pinned?.id && made.of === place?.row ? made : null
    redraw(
      this.inspector.node,
      () => this.inspector.draw(this.pinned, this.speech, known, actions),
    )
    this.placeInspector()
    // It is scrolled into sight when it opens, and when what Python knows makes it larger.
    const shown = place ? [place.row, place.index, Boolean(known)].join() : ""
    if (place && shown !== this.shown) this.inspector.node.scrollIntoView({ block: "nearest" })
    this.shown = shown
  }

  placeInspector() {
    const { node } = this.inspector
    if (this.pinned && !node.hidden) placeBeside(node, this.pinned, this.text, this.root)
  }

  /** The row and the index of the pinned token. */
  place() {
    return this.pinned && { row: this.rows.indexOf(this.pinned.row), index: this.pinned.index }
  }

  // Hover, focus, pin

  /** @param {Token | null | undefined} token */
  hover(token) {
    if (token === this.hovered) return
    paint(this.hovered, "hovered", false)
    this.hovered = token ?? null
    paint(this.hovered, "hovered", true)
    this.say()
  }

  /**
   * Move the keyboard's place to a token.
   * @param {Token} token
   */
  focus(token) {
    this.current?.node?.setAttribute("tabindex", "-1")
    this.current = token
    if (!token.node) return
    token.node.tabIndex = 0
    token.node.focus({ preventScroll: true })
    scrollInto(this.text, token.node)
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const token = tokens.at(event)
    if (!token || event.ctrlKey || event.metaKey || event.altKey) return
    const { key } = event
    const drawn = token.row.tokens
    const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0
    const place = placeByKey(key, token.index - token.row.first, drawn.length - 1)
    if (step || place !== undefined) {
      const next = step ? this.beside(token, step) : drawn[place ?? 0]
      if (!this.whole.hidden && !this.show.all) this.unfold(true)
      this.focus(next ?? token)
      this.hover(null)
      this.pin(next ?? token, PIN_DELAY)
    } else if (key === "Enter" || key === " ") {
      this.pin(token === this.pinned ? null : token)
    } else if (key === "Escape" && this.pinned) {
      this.hover(null)
      this.pin(null)
    } else return
    event.preventDefault()
  }

  /**
   * @param {Token} token
   * @param {1 | -1} step
   */
  beside(token, step) {
    const row = this.rows[this.rows.indexOf(token.row) + step]
    return token.block && !row ? undefined : tokenBeside(token, step, row?.tokens ?? [])
  }

  /**
   * @param {Token | null} token
   * @param {number} [delay]
   */
  pin(token, delay = 0) {
    this.pinned = token
    this.mark()
    this.drawInspector()
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.tell(this.data.start), delay)
  }

  /**
   * Tell Python which window is shown and which token is pinned.
   * @param {number} start
   */
  tell(start) {
    this.setStateValue("state", { of: this.data.of, start, pinned: this.place() })
  }

  /** Take all marks away, of the pointer and of the keyboard, too. */
  unmark() {
    this.hover(null)
    this.current?.node?.setAttribute("tabindex", "-1")
    this.pinned = null
    if (this.marked.length) this.mark()
  }

  /** Mark the pinned token and, less strongly, where else its id stands. */
  mark() {
    for (const token of this.marked) {
      paint(token, "pinned", false)
      paint(token, "again", false)
      token.node?.removeAttribute("aria-selected")
    }
    const { pinned } = this
    this.marked = pinned?.row.places.get(pinned.id) ?? []
    for (const token of this.marked) paint(token, token === pinned ? "pinned" : "again", true)
    pinned?.node?.setAttribute("aria-selected", "true")
  }
}

export default mounted(TokenView)
