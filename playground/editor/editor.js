// An editor whose text is coloured by its tokens while one types. The text stands in a textarea, so
// that undo, selection, input methods and screen readers work as everywhere; behind it lies a layer
// with the same letters, unseen, on coloured paper. An edit is sent as soon as the answer to the one
// before is there; until its own comes, the old colours move with their text.

import { element, mounted, reword, View } from "../browser/elements.js"
import { store, stored } from "../browser/storage.js"
import { fill } from "../browser/words.js"
import { cellsOf, uncoloured } from "./cells.js"
import { Paint } from "./paint.js"

const DELAY = 20 // ms: keys that come together are one edit, unless the page asks for longer
const PATIENCE = 3000 // ms: an answer that has not come by then was lost
const PAUSE = 700 // ms without a key: what is costly to draw may follow

/**
 * What Python sends. The text is null where the browser has it; `number` is the edit that `sizes`,
 * bytes of each token, are of; `revision` counts the texts that the page has put into the editor.
 * Times are in milliseconds; without `delay`, a text is coloured.
 * @typedef {{
 *   label: string, revision: number, number: number, text: string | null, fresh: boolean,
 *   store: string, settled: number, sizes: number[] | null, count: string | null,
 *   note: string | null, limit: number, delay: number | null, rows: number,
 *   labels: {placeholder: string, tooLong: string},
 * }} Data
 */

/** What a text has in place of a Paint where it is not coloured: of any length, none is too dear. */
class Blank {
  text = ""
  /** @param {string} text */
  edit(text) {
    this.text = text
  }
  answer() {}
  draw() {}
  tidy() {}
}

/** @extends {View<Data>} */
class Editor extends View {
  /** @type {Data} */
  data
  /** @type {Paint | Blank} */
  paint = new Blank()
  /** @type {number | null} */
  revision = null
  asked = 0 // times that the text was asked for
  edits = 0 // of the reader
  sent = 0 // the edit that was sent last
  sentAt = 0
  answered = 0
  /** @type {Map<number, string>} edit -> text, of those that an answer may come for */
  texts = new Map()
  /** How many characters there would have been, where a paste was cut; else 0. */
  tooLong = 0
  composing = false // what an input method has not handed over yet is not sent
  /** @type {number | null} of the next drawing */
  drawing = null
  /** @type {number | null} the edit whose colours are there */
  shown = null
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer = undefined
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  pause = undefined

  onFonts = () => this.draw()

  /** @param {HTMLElement | ShadowRoot} parent */
  constructor(parent) {
    super()
    this.root = element("div", "editor")
    this.label = element("label", "label")
    this.label.htmlFor = "text"
    this.frame = element("div", "frame")
    this.sheet = element("div", "sheet")
    this.layer = element("div", "layer")
    this.paper = element("div", "paper")
    for (const unseen of [this.layer, this.paper]) unseen.setAttribute("aria-hidden", "true")
    this.area = element("textarea")
    this.area.id = "text"
    this.area.spellcheck = false
    this.area.setAttribute("autocapitalize", "off")
    this.area.setAttribute("autocomplete", "off")
    this.area.setAttribute("aria-describedby", "count note")
    this.sheet.append(this.paper, this.layer, this.area)
    this.frame.append(this.sheet)
    this.foot = element("div", "foot")
    this.count = element("span")
    this.count.id = "count"
    this.foot.append(this.count)
    this.note = element("p", "note")
    this.note.id = "note"
    this.note.setAttribute("role", "status")
    this.root.append(this.label, this.frame, this.foot, this.note)
    parent.append(this.root)

    this.frame.addEventListener("scroll", () => this.draw())
    this.resized = new ResizeObserver(() => this.draw())
    this.resized.observe(this.sheet)
    document.fonts?.addEventListener("loadingdone", this.onFonts)

    this.area.addEventListener("compositionstart", () => (this.composing = true))
    this.area.addEventListener("compositionend", () => {
      this.composing = false
      this.typed()
      this.send(0)
    })
    this.area.addEventListener("input", () => this.typed())
    this.area.addEventListener("blur", () => this.send(0))
    this.area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.send(0)
    })
    this.area.addEventListener("paste", (event) => this.pasted(event))
  }

  destroy() {
    clearTimeout(this.timer)
    clearTimeout(this.pause)
    if (this.drawing !== null) cancelAnimationFrame(this.drawing)
    this.resized.disconnect()
    document.fonts?.removeEventListener("loadingdone", this.onFonts)
    this.root.remove()
  }

  /** @param {Data} data */
  update(data) {
    if (!this.data) this.start(data.delay === null)
    this.data = data
    reword(this.label, data.label)
    if (this.area.placeholder !== data.labels.placeholder) {
      this.area.placeholder = data.labels.placeholder
    }
    if (this.area.maxLength !== data.limit) this.area.maxLength = data.limit
    this.root.style.setProperty("--rows", String(data.rows))
    if (data.revision !== this.revision) {
      if (data.text === null) {
        this.ask()
        return
      }
      clearTimeout(this.timer)
      const first = this.revision === null
      this.revision = data.revision
      this.edits = this.sent = this.answered = data.number
      this.area.value = data.text
      this.paint.edit(this.area.value)
      this.texts = new Map([[data.number, this.area.value]])
      this.tooLong = 0
      if (first && data.fresh) this.restore()
      // The same text stays stored: a later session of this tab may not restore it.
      else if (stored(data.store) !== this.area.value) store(data.store, null)
    }
    this.answer()
    this.say()
  }

  /** @param {boolean} coloured */
  start(coloured) {
    this.frame.classList.toggle("plain", !coloured)
    if (coloured) this.paint = new Paint(this.layer, this.paper, this.frame)
    else for (const unseen of [this.layer, this.paper]) unseen.remove()
  }

  /** Have the server send the text, again and again: a page that changes may lose the question. */
  ask() {
    this.asked += 1
    const { revision } = this.data
    this.setStateValue("edit", { text: null, number: 0, revision, asked: this.asked })
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.ask(), PATIENCE)
  }

  /** Draw the colours before the next frame, together with the letters. */
  draw() {
    this.drawing ??= requestAnimationFrame(() => {
      this.drawing = null
      this.paint.draw()
      this.root.dataset.painted = String(this.shown)
    })
  }

  // From the reader to the server

  typed() {
    const text = this.area.value
    if (text === this.paint.text) return
    this.paint.edit(text)
    this.draw()
    this.edits += 1
    this.root.dataset.edits = String(this.edits)
    if (text.length < this.data.limit) this.tooLong = 0
    this.say()
    clearTimeout(this.pause)
    this.send(this.data.delay ?? DELAY)
  }

  /** @param {number} delay */
  send(delay) {
    clearTimeout(this.timer)
    // One edit at a time is answered in colour; without colours the last one is all that counts.
    const busy = () =>
      this.data.delay === null && this.sent !== this.answered &&
      performance.now() - this.sentAt < PATIENCE
    this.timer = setTimeout(
      () => {
        if (this.composing || this.sent === this.edits) return
        if (busy()) return
        this.sent = this.edits
        this.sentAt = performance.now()
        const text = this.area.value
        this.texts.set(this.sent, text)
        store(this.data.store, text)
        const at = Array.from(text.slice(0, this.area.selectionStart)).length
        this.setStateValue("edit", { text, at, number: this.sent, revision: this.revision })
        this.send(PATIENCE)
      },
      busy() ? Math.max(delay, PATIENCE - (performance.now() - this.sentAt)) : delay,
    )
  }

  /** @param {ClipboardEvent} event */
  pasted(event) {
    const pasted = event.clipboardData?.getData("text/plain").replace(/\r\n?/g, "\n") ?? ""
    const { selectionStart, selectionEnd, value } = this.area
    const all = value.length - (selectionEnd - selectionStart) + pasted.length
    this.tooLong = all > this.data.limit ? all : 0
  }

  /** Restore the text typed before the page was loaded again. */
  restore() {
    const text = stored(this.data.store)
    if (text === null || text === this.area.value) return
    this.area.value = text
    this.typed()
  }

  // From the server to the reader

  answer() {
    const { data } = this
    const text = this.texts.get(data.number)
    if (text === undefined) return
    this.answered = Math.max(this.answered, data.number)
    for (const number of this.texts.keys()) if (number < data.number) this.texts.delete(number)
    if (data.sizes !== null) {
      const newest = this.sent === this.answered || data.number > (this.shown ?? -1)
      if (text === this.paint.text || newest) {
        this.paint.answer(text, cellsOf(text, data.sizes))
      }
    } else if (text === this.paint.text) {
      this.paint.answer(text, uncoloured(text))
    }
    this.shown = data.number
    this.draw()
    clearTimeout(this.pause)
    if (this.edits > this.answered) this.send(data.delay ?? 0)
    else if (data.delay === null && data.settled !== this.edits) {
      this.pause = setTimeout(() => {
        this.paint.tidy()
        this.setStateValue("settled", this.edits)
      }, PAUSE)
    }
  }

  /** Say how many tokens there are and what the reader should know. */
  say() {
    const { data } = this
    const waiting = this.edits !== this.answered
    if (data.count !== null && !waiting) reword(this.count, data.count)
    const notes = [data.note]
    if (this.tooLong) {
      notes.push(fill(data.labels.tooLong, { all: this.tooLong, most: data.limit }))
    }
    const said = notes.filter(Boolean).join(" ")
    reword(this.note, said)
    this.note.hidden = !said
  }
}

export default mounted(Editor)
