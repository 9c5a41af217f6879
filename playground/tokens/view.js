// The token view in the browser. Python sends a window of tokens as arrays (ids, byte lengths, the
// joined bytes); characters, marks and the lens are worked out here, so that hover and keyboard
// answer at once. Text reaches the page through textContent and setAttribute alone, never as HTML.

const HUES = 6
const LENS_CHARACTERS = 40 // a token of 128 spaces needs no 128 cells
const UNBROKEN = 20 // characters: a longer token may break across lines
const CHUNK = 200 // tokens, at least: then a chunk ends at the next line break,
const LONGEST_CHUNK = 2000 // or here, where a long paragraph has none
const PIN_DELAY = 250 // ms: arrow keys walk over many tokens, Python hears of the last

const instances = new WeakMap()

export default function (component) {
  const { parentElement, data } = component
  let view = instances.get(parentElement)
  if (!view) {
    view = new TokenView(parentElement)
    instances.set(parentElement, view)
  }
  view.setStateValue = component.setStateValue
  view.update(data)
  return () => {
    view.destroy()
    instances.delete(parentElement)
  }
}

// --- bytes, characters, tokens -------------------------------------------------------------------

/** The length of the character, or of the bytes that are none, at `at`: `[length, valid]`.
 *  Bytes that are no character go together as in the Unicode standard's "maximal subparts". */
function characterAt(bytes, at) {
  const lead = bytes[at]
  if (lead < 0x80) return [1, true]
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0
  if (!length) return [1, false]
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i]
    const good = i === 1 ? byte >= low && byte <= high : byte >= 0x80 && byte <= 0xbf
    if (!good) return [i, false]
  }
  return [length, true]
}

/** The character of the `size` bytes at `at`. */
function spell(bytes, at, size) {
  let code = size === 1 ? bytes[at] : bytes[at] & (0x7f >> size)
  for (let i = 1; i < size; i++) code = (code << 6) | (bytes[at + i] & 0x3f)
  return String.fromCodePoint(code)
}

/** The window of tokens and its characters, by byte offset. */
class Row {
  constructor(data) {
    this.ids = data.ids
    this.bytes = Uint8Array.from(atob(data.bytes), (sign) => sign.charCodeAt(0))
    this.first = data.first // index in the whole text of the first token drawn
    this.lead = data.lead // tokens sent before it only to complete its characters
    this.count = data.count // tokens drawn
    this.special = new Set(data.special)
    this.starts = new Uint32Array(data.sizes.length + 1)
    data.sizes.forEach((size, i) => (this.starts[i + 1] = this.starts[i] + size))

    const total = this.bytes.length
    this.tokenOf = new Uint32Array(total) // byte -> token
    this.unitOf = new Uint32Array(total) // byte -> character
    for (let i = 0; i < data.sizes.length; i++) {
      this.tokenOf.fill(i, this.starts[i], this.starts[i + 1])
    }
    this.units = [] // {start, size, text}; text is null where the bytes are no character
    for (let at = 0; at < total; ) {
      const [size, valid] = characterAt(this.bytes, at)
      this.unitOf.fill(this.units.length, at, at + size)
      this.units.push({ start: at, size, text: valid ? spell(this.bytes, at, size) : null })
      at += size
    }
    this.places = new Map() // id -> positions in the window
    for (let i = this.lead; i < this.lead + this.count; i++) {
      const id = this.ids[i]
      if (this.places.has(id)) this.places.get(id).push(i)
      else this.places.set(id, [i])
    }
  }

  /** The characters that token `i` touches, with the bytes (from 1) that it holds of each. */
  parts(i) {
    const start = this.starts[i]
    const end = this.starts[i + 1]
    if (start === end) return []
    const parts = []
    for (let u = this.unitOf[start]; u <= this.unitOf[end - 1]; u++) {
      const unit = this.units[u]
      const first = Math.max(start, unit.start) - unit.start + 1
      const last = Math.min(end, unit.start + unit.size) - unit.start
      const bytes = this.bytes.subarray(unit.start + first - 1, unit.start + last)
      const whole = unit.text !== null && bytes.length === unit.size
      parts.push({ unit, first, last, bytes, whole })
    }
    return parts
  }

  kind(i, parts) {
    if (this.special.has(i)) return "special"
    if (!parts.length) return "empty"
    if (parts.every((part) => part.unit.text === null)) return "bytes"
    if (parts.length === 1) return parts[0].whole ? "whole" : "part"
    return parts.every((part) => part.whole) ? "several" : "mixed"
  }

  hex(i) {
    return hex(this.bytes.subarray(this.starts[i], this.starts[i + 1]))
  }

  /** Token number, from 1, in the whole text. */
  number(i) {
    return this.first + (i - this.lead) + 1
  }
}

const hex = (bytes) =>
  Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ")

const range = (first, last) => (first === last ? `${first}` : `${first}–${last}`)

// --- signs ---------------------------------------------------------------------------------------

const SPACES = new Map([
  [" ", "·"],
  ["\t", "→"],
  ["\n", "⏎"],
  ["\u00a0", "⍽"],
  ["\u3000", "□"],
])
// Controls, format characters (a bidi override would turn the page around), odd spaces, private and
// unassigned code points: drawn as their number.
const UNSEEN = /^[\p{Cc}\p{Cf}\p{Z}\p{Co}\p{Cn}]$/u
const MARK = /^\p{M}$/u
const JOINER = /^[\u200d\ufe0f\u{e0020}-\u{e007f}]$/u // what holds an emoji together

const codePoint = (text) => "U+" + text.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")

/** A character that has no shape of its own: a control as its byte, others by their number. */
const numberOf = (text) => (text < "\x80" ? hex([text.charCodeAt(0)]) : codePoint(text))

/** One character as a short readable sign, for labels and cells. */
function signOf(text) {
  if (SPACES.has(text)) return SPACES.get(text)
  if (UNSEEN.test(text) || JOINER.test(text)) return numberOf(text)
  return MARK.test(text) ? "◌" + text : text
}

function element(tag, className, text) {
  const made = document.createElement(tag)
  if (className) made.className = className
  if (text !== undefined) made.textContent = text
  return made
}

/** Fill `{name}` gaps; numbers get thousands separators. */
const fill = (template, values = {}) =>
  template.replace(/\{(\w+)\}/g, (_, name) =>
    typeof values[name] === "number" ? values[name].toLocaleString("en") : (values[name] ?? "")
  )

/** Append the characters of a token to its element. */
function drawParts(into, parts) {
  let plain = ""
  const flush = () => {
    if (plain) into.append(plain)
    plain = ""
  }
  parts.forEach((part, n) => {
    const { text } = part.unit
    if (text === null) {
      flush()
      into.append(element("span", "control", hex(part.bytes)))
    } else if (!part.whole) {
      flush()
      const mark = element("span", "part")
      mark.append(
        element("span", "fraction", `${range(part.first, part.last)}/${part.unit.size}`),
        element("span", "glyph", signOf(text))
      )
      into.append(mark)
    } else if (SPACES.has(text)) {
      flush()
      const space = element("span", "space", text)
      space.dataset.sign = SPACES.get(text)
      into.append(space)
    } else if (JOINER.test(text) && n > 0 && (n < parts.length - 1 || text === "\ufe0f")) {
      plain += text
    } else if (UNSEEN.test(text) || JOINER.test(text)) {
      flush()
      into.append(element("span", "control", numberOf(text)))
    } else {
      plain += n === 0 && MARK.test(text) ? "◌" + text : text
    }
  })
  flush()
}

// --- the view ------------------------------------------------------------------------------------

class TokenView {
  constructor(parent) {
    this.root = element("div", "view")
    parent.append(this.root)
    this.note = element("p", "note")
    this.bar = element("div", "bar")
    this.text = element("div", "text")
    this.text.setAttribute("role", "listbox")
    this.list = element("div", "ids")
    this.list.setAttribute("aria-hidden", "true") // each token's label says its id
    this.list.tabIndex = -1
    this.status = element("p", "status")
    this.status.setAttribute("aria-hidden", "true")
    this.lens = element("section", "lens")
    this.root.append(this.note, this.bar, this.text, this.status, this.list, this.lens)

    this.show = { signs: true, beside: false, list: null }
    this.version = null
    this.pinned = null // position in the window, as every `i` below
    this.current = null // the token that Tab enters
    this.hovered = null
    this.marked = []

    for (const pane of [this.text, this.list]) {
      pane.addEventListener("pointerover", (event) => this.hover(tokenAt(event)))
      pane.addEventListener("pointerleave", () => this.hover(null))
      pane.addEventListener("click", (event) => {
        const i = tokenAt(event)
        if (i === null) return
        this.focus(i)
        this.pin(i === this.pinned ? null : i)
      })
    }
    this.text.addEventListener("keydown", (event) => this.press(event))
    this.text.addEventListener("focusin", (event) => {
      const i = tokenAt(event)
      if (i !== null && event.target.matches(":focus-visible")) this.hover(i)
    })
    this.text.addEventListener("focusout", () => this.hover(null))
  }

  destroy() {
    clearTimeout(this.timer)
    this.root.remove()
  }

  update(data) {
    this.data = data
    this.words = data.labels
    const fresh = data.version !== this.version
    if (fresh) {
      this.version = data.version
      this.row = new Row(data)
      clearTimeout(this.timer)
      this.pinned = null
      this.hovered = null
      this.marked = []
      this.current = this.row.lead
      this.show.list ??= data.list
      this.root.style.setProperty("--height", `${data.height}px`)
      this.drawText()
    }
    const language = JSON.stringify(data.labels)
    if (fresh || language !== this.language) {
      this.language = language
      this.name()
      this.drawBar()
    }
    this.note.textContent = data.note ?? ""
    this.note.hidden = !data.note
    if (fresh && data.pinned !== null) this.pinned = this.position(data.pinned)
    this.drawList()
    this.mark()
    this.say()
    this.drawLens()
  }

  /** The position in the window of the token at `index` of the text, or null. */
  position(index) {
    const i = index - this.row.first + this.row.lead
    return i >= this.row.lead && i < this.row.lead + this.row.count ? i : null
  }

  // Drawing the panes

  drawText() {
    const { row } = this
    const differing = new Set(this.data.differing)
    this.tokens = []
    const all = new Chunks()
    for (let i = row.lead; i < row.lead + row.count; i++) {
      const parts = row.parts(i)
      const kind = row.kind(i, parts)
      const token = element("span", `token hue${row.number(i) % HUES}`)
      token.dataset.kind = kind
      if (differing.has(i)) token.classList.add("differing")
      token.position = i
      token.dataset.id = row.ids[i]
      token.setAttribute("role", "option")
      if (kind === "empty") token.append(element("span", "control", "∅"))
      else drawParts(token, parts)
      if (parts.at(-1)?.unit.text === "\n") {
        token.classList.add("breaks") // its id must stand before the break
        token.lastChild.dataset.id = row.ids[i]
      } else if (parts.length <= UNBROKEN) token.classList.add("unbroken")
      if (parts[0]?.unit.text === " ") all.append(element("wbr"))
      const broken = token.classList.contains("breaks")
      this.tokens[i] = token
      all.append(token)
      all.count(broken)
    }
    this.text.replaceChildren(...all.chunks)
    if (row.count) this.tokens[this.current].tabIndex = 0
  }

  drawList() {
    this.list.hidden = !this.show.list || !this.row.count
    if (this.list.hidden || this.listed === this.version) return
    this.listed = this.version
    this.items = []
    const all = new Chunks()
    for (let i = this.row.lead; i < this.row.lead + this.row.count; i++) {
      const item = element("span", `id hue${this.row.number(i) % HUES}`, String(this.row.ids[i]))
      item.position = i
      this.items[i] = item
      all.append(item, " ")
      all.count(i % CHUNK === 0)
    }
    this.list.replaceChildren(...all.chunks)
  }

  /** Label everything in the page's language. */
  name() {
    this.text.setAttribute("aria-label", this.words.tokens)
    for (let i = this.row.lead; i < this.row.lead + this.row.count; i++) {
      this.tokens[i].setAttribute("aria-label", this.line(i))
    }
  }

  drawBar() {
    const { row, data, words } = this
    this.bar.replaceChildren()
    if (!data.total) {
      this.bar.append(element("span", "quiet", words.none))
      return
    }
    const window = row.count < data.total
    const count = element(
      "span",
      "count",
      window
        ? fill(words.window, { first: row.first + 1, last: row.first + row.count, total: data.total })
        : fill(words.count, { total: data.total })
    )
    this.bar.append(count)
    if (window) {
      const turn = (label, to, possible) => {
        const button = this.button(label, () => this.turn(to))
        button.disabled = !possible
        return button
      }
      this.bar.append(
        turn(words.earlier, Math.max(0, row.first - data.page), row.first > 0),
        turn(words.later, row.first + row.count, row.first + row.count < data.total)
      )
    }
    const toggles = element("span", "toggles")
    const toggle = (name, label) => {
      const button = this.button(label, () => {
        this.show[name] = !this.show[name]
        button.setAttribute("aria-pressed", String(this.show[name]))
        this.switchOn()
        this.drawList()
        this.mark()
      })
      button.setAttribute("aria-pressed", String(Boolean(this.show[name])))
      toggles.append(button)
    }
    toggle("signs", words.signs)
    toggle("beside", words.beside)
    toggle("list", words.list)
    this.bar.append(toggles)
    this.switchOn()
  }

  switchOn() {
    this.root.classList.toggle("with-signs", this.show.signs)
    this.root.classList.toggle("with-ids", this.show.beside)
  }

  button(label, onclick) {
    const button = element("button", null, label)
    button.type = "button"
    button.onclick = onclick
    return button
  }

  // What a token is, in words

  /** "bytes 2–3 of 3 of 中" */
  holds(part) {
    return fill(part.first === part.last ? this.words.byteOf : this.words.bytesOf, {
      range: range(part.first, part.last),
      size: part.unit.size,
      character: this.called(part.unit.text),
    })
  }

  called(character) {
    return this.words.names[character] ?? signOf(character)
  }

  /** The text of a token in quotes, its partial characters in words. */
  spelled(parts) {
    const said = []
    let whole = ""
    const flush = () => {
      if (whole) said.push(`“${whole}”`)
      whole = ""
    }
    for (const part of parts.slice(0, LENS_CHARACTERS)) {
      const { text } = part.unit
      if (part.whole && (parts.length > 1 || !this.words.names[text])) {
        whole += signOf(text)
        continue
      }
      flush()
      if (text === null) said.push(hex(part.bytes))
      else said.push(part.whole ? this.called(text) : this.holds(part))
    }
    flush()
    return said.join(" + ") + (parts.length > LENS_CHARACTERS ? " …" : "")
  }

  /** The token in one line. */
  line(i) {
    const { row, words } = this
    const parts = row.parts(i)
    const kind = row.kind(i, parts)
    const said = [fill(words.token, { number: row.number(i) })]
    if (kind === "special" || kind === "bytes" || kind === "empty") said.push(words.kinds[kind])
    if (parts.length && kind !== "bytes") said.push(this.spelled(parts))
    said.push(fill(words.id, { id: String(row.ids[i]) }))
    return said.join(" · ")
  }

  // Hover, focus, pin

  hover(i) {
    if (i === this.hovered) return
    this.paint(this.hovered, "hovered", false)
    this.hovered = i
    this.paint(i, "hovered", true)
    this.say()
  }

  /** Name the token under the pointer in one line; without one, say what can be done. */
  say() {
    const i = this.hovered
    this.status.hidden = !this.row.count
    this.status.classList.toggle("quiet", i === null)
    this.status.textContent =
      i === null ? this.words.hint : `${this.line(i)} · ${shorten(this.row.hex(i), 47)}`
  }

  paint(i, name, on) {
    if (i === null) return
    this.tokens[i]?.classList.toggle(name, on)
    this.items?.[i]?.classList.toggle(name, on)
  }

  /** Move the keyboard's place to token `i`. */
  focus(i) {
    if (this.current !== null) this.tokens[this.current]?.setAttribute("tabindex", "-1")
    this.current = i
    this.tokens[i].tabIndex = 0
    this.tokens[i].focus({ preventScroll: true })
    scrollInto(this.text, this.tokens[i])
  }

  press(event) {
    const i = tokenAt(event)
    if (i === null || event.ctrlKey || event.metaKey || event.altKey) return
    const first = this.row.lead
    const last = first + this.row.count - 1
    const to = {
      ArrowRight: () => Math.min(i + 1, last),
      ArrowLeft: () => Math.max(i - 1, first),
      ArrowDown: () => this.neighbour(i, 1),
      ArrowUp: () => this.neighbour(i, -1),
      Home: () => first,
      End: () => last,
    }[event.key]
    if (to) {
      const next = to()
      this.focus(next)
      this.hover(null)
      this.pin(next, PIN_DELAY)
    } else if (event.key === "Enter" || event.key === " ") {
      this.pin(i === this.pinned ? null : i)
    } else if (event.key === "Escape") {
      this.hover(null)
      this.pin(null)
    } else return
    event.preventDefault()
  }

  /** The nearest token on the next line (`step` 1) or the one before (-1). */
  neighbour(i, step) {
    const here = this.tokens[i].getClientRects()[0]
    let best = i
    let least = Infinity
    let line = null
    for (let j = i + step; this.tokens[j]; j += step) {
      const rect = this.tokens[j].getClientRects()[0]
      const middle = rect.top + rect.height / 2
      if (line === null && (middle - here.top - here.height / 2) * step < here.height / 2) continue
      if (line === null) line = middle
      else if (Math.abs(middle - line) > here.height / 2) break
      const far = Math.abs(rect.left - here.left)
      if (far < least) [best, least] = [j, far]
    }
    return best
  }

  pin(i, delay = 0) {
    this.pinned = i
    this.mark()
    this.drawLens()
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.tell(this.row.first, i), delay)
  }

  turn(first) {
    this.pinned = null
    this.tell(first, null)
  }

  tell(first, i) {
    const pinned = i === null ? null : this.row.number(i) - 1
    this.setStateValue("state", { of: this.data.of, first, pinned })
  }

  /** Mark the pinned token and, less strongly, where else its id stands. */
  mark() {
    for (const i of this.marked) {
      this.paint(i, "pinned", false)
      this.paint(i, "again", false)
      this.tokens[i]?.removeAttribute("aria-selected")
    }
    this.marked = []
    if (this.pinned === null) return
    this.marked = this.row.places.get(this.row.ids[this.pinned])
    for (const i of this.marked) this.paint(i, i === this.pinned ? "pinned" : "again", true)
    this.tokens[this.pinned].setAttribute("aria-selected", "true")
  }

  // The lens

  drawLens() {
    const { row, words, pinned: i } = this
    this.lens.replaceChildren()
    this.lens.hidden = i === null
    if (i === null) return
    const parts = row.parts(i)
    const kind = row.kind(i, parts)

    const head = element("div", "head")
    const chip = element("span", `token hue${row.number(i) % HUES}`)
    chip.dataset.kind = kind
    drawParts(chip, parts.slice(0, LENS_CHARACTERS))
    const title = fill(words.tokenOf, { number: row.number(i), total: this.data.total })
    this.lens.setAttribute("aria-label", title)
    const close = this.button("×", () => {
      this.pin(null)
      this.focus(i)
    })
    close.className = "close"
    close.setAttribute("aria-label", words.close)
    head.append(chip, element("span", "title", title), close)

    const facts = element("dl", "facts")
    const fact = (name, ...content) => {
      const value = element("dd")
      value.append(...content)
      facts.append(element("dt", null, name), value)
    }
    fact(words.idName, element("span", "mono", String(row.ids[i])))
    fact(words.kind, fill(words.kinds[kind], { n: parts.length }))
    fact(words.bytes, element("span", "mono", shorten(row.hex(i), 240)))
    if (parts.length) fact(words.characters, this.drawCharacters(i, parts))
    const { made } = this.data
    if (made && made.index === row.number(i) - 1) fact(words.made, ...this.drawMade(made))
    fact(words.occurs, ...this.drawPlaces(i))
    this.lens.append(head, facts)
  }

  /** Each character with all its bytes: those of this token filled, the others in the colour of
   *  the token that holds them, which a click opens. */
  drawCharacters(i, parts) {
    const { row } = this
    const all = element("div", "characters")
    for (const part of parts.slice(0, LENS_CHARACTERS)) {
      const { start, size, text } = part.unit
      const box = element("div", "character")
      box.append(element("span", "glyph", text === null ? "–" : signOf(text)))
      const cells = element("span", "cells")
      for (let at = start; at < start + size; at++) {
        const holder = row.tokenOf[at]
        const cell = element("button", `cell hue${row.number(holder) % HUES}`, hex([row.bytes[at]]))
        cell.type = "button"
        if (holder === i) {
          cell.classList.add("held")
          cell.disabled = true
        } else {
          cell.title = this.line(holder)
          cell.setAttribute("aria-label", this.line(holder))
          if (this.tokens[holder]) {
            cell.onclick = () => {
              this.focus(holder)
              this.pin(holder)
            }
          } else cell.disabled = true
        }
        cells.append(cell)
      }
      box.append(cells)
      if (text !== null) {
        box.append(element("span", "mono", codePoint(text)))
        if (!part.whole) box.append(element("span", "holds", this.holds(part)))
      }
      all.append(box)
    }
    if (parts.length > LENS_CHARACTERS) {
      const more = fill(this.words.more, { n: parts.length - LENS_CHARACTERS })
      all.append(element("span", "quiet", more))
    }
    return all
  }

  drawMade(made) {
    const { words } = this
    if (made.rank === null) return [words.base]
    const piece = (half) => {
      const bytes = Uint8Array.from(atob(half.bytes), (sign) => sign.charCodeAt(0))
      const chip = element("span", "piece")
      const units = new Row({
        ids: [half.id], sizes: [bytes.length], bytes: half.bytes, first: 0, lead: 0, count: 1, special: [],
      }).parts(0)
      drawParts(chip, units)
      chip.append(element("span", "mono small", String(half.id)))
      return chip
    }
    const said = [fill(words.merge, { rank: made.rank }), " ", piece(made.left), " + ", piece(made.right)]
    if (made.count !== null) said.push(" ", element("span", "quiet", fill(words.seen, { n: made.count })))
    return said
  }

  drawPlaces(i) {
    const { row, words } = this
    const id = row.ids[i]
    const here = row.places.get(id)
    const total = this.data.counts ? this.data.counts[id] : here.length
    const said = [fill(total === 1 ? words.once : words.times, { n: total })]
    if (here.length > 1) {
      const at = here.indexOf(i)
      const step = (label, by) =>
        this.button(label, () => {
          const next = here[(at + by + here.length) % here.length]
          this.focus(next)
          this.pin(next, PIN_DELAY)
        })
      said.push(" ", step(words.previous, -1), " ", step(words.next, 1))
    }
    return said
  }
}

/** Blocks of tokens; the browser neither styles nor lays out those that are out of sight. */
class Chunks {
  constructor() {
    this.chunks = []
    this.size = 0
  }

  append(...nodes) {
    if (!this.open) {
      this.open = element("div", "chunk")
      this.open.setAttribute("role", "presentation")
      this.chunks.push(this.open)
    }
    this.open.append(...nodes)
  }

  /** Note that a token is complete; after `last`, a new chunk may begin. */
  count(last) {
    this.size += 1
    if (!(last && this.size >= CHUNK) && this.size < LONGEST_CHUNK) return
    this.size = 0
    this.open = null
  }
}

const shorten = (text, length) => (text.length > length ? text.slice(0, length) + "…" : text)

/** The position of the token that an event happened in, or null. */
function tokenAt(event) {
  for (const node of event.composedPath()) {
    if (node.position !== undefined) return node.position
    if (node === event.currentTarget) return null
  }
  return null
}

/** Scroll the pane, never the page, until `token` is in sight. */
function scrollInto(pane, token) {
  const box = pane.getBoundingClientRect()
  const rect = token.getBoundingClientRect()
  if (rect.top < box.top) pane.scrollTop -= box.top - rect.top + 8
  else if (rect.bottom > box.bottom) pane.scrollTop += rect.bottom - box.bottom + 8
}
