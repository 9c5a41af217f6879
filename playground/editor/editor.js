// An editor whose text is coloured by its tokens while one types. The text stands in a textarea, so
// that undo, selection, input methods and screen readers work as everywhere; behind it lies a layer
// with the same letters, unseen, on coloured paper. An edit is sent as soon as the answer to the one
// before is there; until its own comes, the old colours move with their text.

import { element, mounted } from "../browser/elements.js"
import { cellsOf, Paint } from "./cells.js"

const DELAY = 20 // ms: keys that come together are one edit, unless the page asks for longer
const PATIENCE = 3000 // ms: an answer that has not come by then was lost
const PAUSE = 700 // ms without a key: what is costly to draw may follow

/** What a text has in place of a Paint where it is not coloured: of any length, none is too dear. */
class Blank {
  text = ""
  edit(text) {
    this.text = text
  }
  answer() {}
  draw() {}
  tidy() {}
}

class Editor {
  constructor(parent) {
    this.root = element("div", "editor")
    this.label = element("label", "label")
    this.label.htmlFor = "text"
    this.frame = element("div", "frame")
    this.sheet = element("div", "sheet")
    const layer = element("div", "layer")
    const paper = element("div", "paper")
    for (const unseen of [layer, paper]) unseen.setAttribute("aria-hidden", "true")
    this.area = element("textarea")
    this.area.id = "text"
    this.area.spellcheck = false
    this.area.setAttribute("autocapitalize", "off")
    this.area.setAttribute("autocomplete", "off")
    this.area.setAttribute("aria-describedby", "count note")
    this.sheet.append(paper, layer, this.area)
    this.frame.append(this.sheet)
    this.foot = element("div", "foot")
    this.count = element("span")
    this.count.id = "count"
    this.count.append("") // changed as a text, as the layer is (see mend)
    this.foot.append(this.count)
    this.note = element("p", "note")
    this.note.id = "note"
    this.note.append("")
    this.note.setAttribute("role", "status")
    this.root.append(this.label, this.frame, this.foot, this.note)
    parent.append(this.root)

    this.layers = [layer, paper]
    this.frame.addEventListener("scroll", () => this.draw())
    this.resized = new ResizeObserver(() => this.draw())
    this.resized.observe(this.sheet)
    document.fonts?.addEventListener("loadingdone", this.onFonts = () => this.draw())
    this.revision = null
    this.edits = 0 // of the reader
    this.sent = 0 // the edit that was sent last
    this.answered = 0
    this.texts = new Map() // edit -> text, of those that an answer may come for
    this.tooLong = 0

    this.composing = false // what an input method has not handed over yet is not sent
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
    this.drawing = null
    this.shown = null // the edit whose colours are there
    this.area.addEventListener("paste", (event) => this.pasted(event))
  }

  destroy() {
    clearTimeout(this.timer)
    clearTimeout(this.pause)
    cancelAnimationFrame(this.drawing)
    this.resized.disconnect()
    document.fonts?.removeEventListener("loadingdone", this.onFonts)
    this.root.remove()
  }

  update(data) {
    this.data = data
    if (!this.paint) {
      const coloured = data.delay === null
      this.paint = coloured ? new Paint(...this.layers, this.frame) : new Blank()
      this.frame.classList.toggle("plain", !coloured)
      if (!coloured) { for (const layer of this.layers) layer.remove() }
    }
    if (this.label.textContent !== data.label) this.label.textContent = data.label
    if (this.area.placeholder !== data.labels.placeholder) {
      this.area.placeholder = data.labels.placeholder
    }
    if (this.area.maxLength !== data.limit) this.area.maxLength = data.limit
    this.root.style.setProperty("--rows", data.rows)
    if (data.revision !== this.revision) {
      if (data.text === null) {
        this.setStateValue("edit", { text: null, number: 0, revision: data.revision })
        return
      }
      const first = this.revision === null
      this.revision = data.revision
      this.edits = this.sent = this.answered = data.number
      this.area.value = data.text
      this.paint.edit(this.area.value)
      this.texts = new Map([[data.number, this.area.value]])
      this.tooLong = 0
      if (first && data.fresh) this.restore()
      else this.keep(null)
    }
    this.answer()
    this.say()
  }

  /** Draw the colours before the next frame, together with the letters. */
  draw() {
    this.drawing ??= requestAnimationFrame(() => {
      this.drawing = null
      this.paint?.draw()
      this.root.dataset.painted = this.shown
    })
  }

  // From the reader to the server

  typed() {
    const text = this.area.value
    if (text === this.paint.text) return
    this.paint.edit(text)
    this.draw()
    this.edits += 1
    this.root.dataset.edits = this.edits
    if (text.length < this.data.limit) this.tooLong = 0
    this.say()
    clearTimeout(this.pause)
    this.send(this.data.delay ?? DELAY)
  }

  send(delay) {
    clearTimeout(this.timer)
    // One edit at a time is answered in colour; without colours the last one is all that counts.
    const busy = () =>
      this.data.delay === null && this.sent !== this.answered &&
      performance.now() - this.at < PATIENCE
    this.timer = setTimeout(
      () => {
        if (this.composing || this.sent === this.edits) return
        if (busy()) return
        this.sent = this.edits
        this.at = performance.now()
        const text = this.area.value
        this.texts.set(this.sent, text)
        this.keep(text)
        const at = Array.from(text.slice(0, this.area.selectionStart)).length
        this.setStateValue("edit", { text, at, number: this.sent, revision: this.revision })
        this.send(PATIENCE)
      },
      busy() ? Math.max(delay, PATIENCE - (performance.now() - this.at)) : delay,
    )
  }

  pasted(event) {
    const pasted = event.clipboardData?.getData("text/plain").replace(/\r\n?/g, "\n") ?? ""
    const { selectionStart, selectionEnd, value } = this.area
    const all = value.length - (selectionEnd - selectionStart) + pasted.length
    this.tooLong = all > this.data.limit ? all : 0
  }

  /** Remember the text for a reload of the page; `null` forgets it. */
  keep(text) {
    try {
      if (text === null) sessionStorage.removeItem(this.data.store)
      else sessionStorage.setItem(this.data.store, text)
    } catch {
      // Without storage, a reload begins anew.
    }
  }

  restore() {
    let text = null
    try {
      text = sessionStorage.getItem(this.data.store)
    } catch {
      return
    }
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
      const now = this.paint.text
      const cells = cellsOf(text, data.sizes)
      if (text === now) this.paint.answer(cells)
      else if (this.sent === this.answered || data.number > (this.shown ?? -1)) {
        this.paint.text = text
        this.paint.answer(cells)
        this.paint.edit(now)
      }
    } else if (text === this.paint.text) {
      this.paint.answer({
        length: text ? [text.length] : [],
        tokens: text ? [0] : [],
        joined: text ? [0] : [],
      })
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
    if (data.count !== null && !waiting) this.count.firstChild.data = data.count
    const notes = [data.note]
    if (this.tooLong) {
      notes.push(
        data.labels.tooLong
          .replace("{all}", this.tooLong.toLocaleString("en"))
          .replace("{most}", data.limit.toLocaleString("en")),
      )
    }
    const said = notes.filter(Boolean).join(" ")
    if (this.note.textContent !== said) this.note.firstChild.data = said
    this.note.hidden = !said
  }
}

export default mounted(Editor)
