// The token view in the browser. Python sends windows of tokens as arrays (ids, byte lengths, the
// joined bytes); marks and the inspector are drawn here, so that hover and keyboard
// answer at once. One text is drawn as it runs; the same text under several tokenizers in rows,
// cut into blocks at the boundaries that all of them have.

import { button, element, mounted } from "../browser/elements.js"
import { drawParts } from "../browser/glyphs.js"
import { Inspector } from "../browser/inspector.js"
import { HUES, Row } from "../browser/row.js"
import { Speech } from "../browser/speech.js"
import { hex } from "../browser/utf8.js"
import { fill, shorten } from "../browser/words.js"

const UNBROKEN = 20 // characters: a longer token may break across lines
const CHUNK = 200 // tokens, at least: then a chunk ends at the next line break,
const LONGEST_CHUNK = 2000 // or here, where a long paragraph has none
const TIDY_DELAY = 800 // ms without another text
const SHIFT = 12 // blocks that one edit adds or takes away, at most, to find the others again
const MOST_CHUNKS = 12 // that are kept hidden,
const MOST_BLOCKS = 400 // or blocks
const LOWEST = 240 // px that the inspector has at least
const TOP = 64 // px at the top of the window that other things may cover
const PIN_DELAY = 250 // ms: arrow keys walk over many tokens, Python hears of the last

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
    const go = (token) => {
      this.focus(token)
      this.pin(token)
    }
    const close = () => {
      this.focus(this.pinned)
      this.pin(null)
    }
    const act = (code) => {
      const { pinned } = this
      const token = { row: this.at(pinned), index: pinned.index }
      this.setTriggerValue("act", { of: this.data.of, code, ...token })
    }
    this.inspector = new Inspector(go, close, act)
    this.totals = element("div", "totals")
    this.legend = element("dl", "legend")
    this.legend.hidden = true
    this.stage = element("div", "stage")
    this.stage.append(this.totals, this.text)
    this.root.append(
      this.note,
      this.bar,
      this.legend,
      this.stage,
      this.status,
      this.list,
      this.inspector.node,
    )
    this.resized = new ResizeObserver(() => {
      this.stanzas()
      this.place()
    })
    this.resized.observe(this.text)
    this.text.addEventListener("scroll", () => this.place())
    // The inspector lies over the page: a click beside it puts it away.
    this.onPress = (event) => {
      const path = event.composedPath()
      const stays = [this.inspector.node, this.text, this.list]
      if (!this.pinned || path.some((node) => stays.includes(node) || node.role === "dialog")) {
        return
      }
      this.pin(null)
    }
    document.addEventListener("pointerdown", this.onPress)

    this.show = { glyphs: true, beside: false, list: null }
    this.version = null
    this.blocks = [] // of rows
    this.dropped = [] // elements that are hidden, until nobody types
    this.pinned = null // a Token, as are the next three
    this.current = null // where Tab enters
    this.hovered = null
    this.marked = []

    for (const pane of [this.text, this.list]) {
      pane.addEventListener("pointerover", (event) => this.hover(tokenAt(event)))
      pane.addEventListener("pointerleave", () => this.hover(null))
      pane.addEventListener("click", (event) => {
        const token = tokenAt(event)
        if (!token) return
        this.focus(token)
        this.pin(token === this.pinned ? null : token)
      })
    }
    this.text.addEventListener("keydown", (event) => this.press(event))
    this.text.addEventListener("focusin", (event) => {
      if (event.target.matches(":focus-visible")) this.hover(tokenAt(event))
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

  /** Take over what Python says. While somebody types, the editor's colours are painted first. */
  update(data) {
    const waits = this.next !== undefined
    this.next = data
    if (waits) return
    const now = () => {
      const newest = this.next
      this.next = undefined
      if (!this.destroyed) this.draw(newest)
    }
    if (this.version === null || data.version === this.version || !isTyping()) now()
    else requestAnimationFrame(() => setTimeout(now))
  }

  draw(data) {
    this.data = data
    this.words = data.labels
    this.speech = new Speech(data.labels)
    const fresh = data.version !== this.version
    if (fresh) {
      this.version = data.version
      this.unmark()
      this.rows = data.rows.map((row) => new Row(row))
      clearTimeout(this.timer)
      this.current = this.rows[0].tokens[0] ?? null
      this.pinned = data.pinned && this.rows[data.pinned.row].token(data.pinned.index)
      this.show.list ??= data.list
      this.root.style.setProperty("--height", `${data.height}px`)
      this.root.classList.toggle("aligned", Boolean(data.blocks))
      clearTimeout(this.tidying)
      if (data.blocks) this.drawBlocks()
      else this.put(this.drawText())
      if (this.current) this.current.node.tabIndex = 0
      if (isTyping()) this.tidying = setTimeout(() => this.tidy(), TIDY_DELAY)
      else this.sweep()
    }
    const language = JSON.stringify(data.labels)
    if (language !== this.language || (fresh && !isTyping())) this.name()
    if (language !== this.language) this.drawLegend()
    this.language = language
    this.drawBar()
    this.drawTotals()
    this.stanzas()
    this.note.textContent = data.note ?? ""
    this.note.hidden = !data.note
    this.drawList()
    this.mark()
    this.say()
    this.drawInspector()
  }

  // Drawing the panes

  /** Show other chunks. */
  put(chunks) {
    this.drop([...this.text.children].filter((node) => !node.hidden), MOST_CHUNKS)
    this.blocks = []
    this.text.append(...chunks)
  }

  /** Hide elements. They are taken away when nobody types, or when they are too many: Chromium
   *  undoes one letter at a time where nodes were taken away between two keys. */
  drop(nodes, most) {
    if (nodes.length + this.dropped.length > most) this.sweep()
    for (const node of nodes) node.hidden = true
    this.dropped.push(...nodes)
    if (this.dropped.length > most) this.sweep()
  }

  sweep() {
    for (const node of this.dropped.splice(0)) node.remove()
  }

  /** Do what can wait until nobody types. */
  tidy() {
    this.sweep()
    this.name()
  }

  /** The element of a token. */
  drawToken(token) {
    const { parts } = token
    const node = element("span", `token ${token.hue}`)
    const kind = token.kind(parts)
    node.token = token
    node.dataset.kind = kind
    node.dataset.id = token.id
    node.setAttribute("role", "option")
    if (kind === "empty") node.append(element("span", "control", "∅"))
    else drawParts(node, parts, Boolean(this.data.blocks), token.row.space)
    if (parts.at(-1)?.unit.text === "\n") {
      node.classList.add("breaks")
      node.lastChild.dataset.id = token.id // its id must stand before the break
    }
    if (parts.length <= UNBROKEN) node.classList.add("unbroken")
    token.node = node
    return node
  }

  drawText() {
    const differing = new Set(this.data.differing)
    const all = new Chunks()
    for (const token of this.rows[0].tokens) {
      const node = this.drawToken(token)
      if (differing.has(token.index)) node.classList.add("differing")
      // A line may break before a space, which stays with its word.
      if (node.firstChild?.textContent?.startsWith(" ")) all.append(element("wbr"))
      all.append(node)
      all.count(node.classList.contains("breaks"))
    }
    return all.chunks
  }

  /** Blocks side by side, each with a line for every tokenizer. Those that were there before keep
   *  their elements and hues: after a key, the browser lays out those around it alone. */
  drawBlocks() {
    const at = this.rows.map(() => 0)
    const blocks = this.data.blocks.map((counts) => {
      const lines = this.rows.map((row, r) => row.tokens.slice(at[r], at[r] += counts[r]))
      return { lines, spells: spelled(lines), node: null }
    })
    const drawing = JSON.stringify(this.rows.map((row) => [row.name, row.space]))
    if (drawing !== this.drawing || !this.blocks.length) {
      this.put([element("div", "chunk")])
      this.drawing = drawing
    }
    const kept = new Set()
    for (const [old, block] of alike(this.blocks, blocks)) {
      kept.add(old)
      block.node = old.node
      block.end = old.end
      block.lines.forEach((tokens, r) => {
        tokens.forEach((token, n) => token.follow(old.lines[r][n]))
      })
    }
    for (const row of this.rows) giveHues(row.tokens)
    const gone = this.blocks.filter((block) => !kept.has(block))
    this.drop(gone.flatMap(({ node, end }) => (end ? [node, end] : [node])), MOST_BLOCKS)
    this.blocks = blocks

    const sheet = this.text.lastElementChild
    let next = sheet.firstElementChild
    const put = (node) => {
      while (next?.hidden) next = next.nextElementSibling
      if (node === next) next = next.nextElementSibling
      else sheet.insertBefore(node, next)
    }
    for (const block of blocks) {
      if (!block.node) this.drawBlock(block)
      put(block.node)
      if (block.end) put(block.end)
    }
  }

  drawBlock(block) {
    block.node = element("span", "block")
    block.node.setAttribute("role", "presentation")
    if (block.lines.every((tokens) => tokens.length === 1)) block.node.classList.add("same")
    for (const tokens of block.lines) {
      const line = element("span", "line")
      line.setAttribute("role", "presentation")
      for (const token of tokens) {
        token.block = block.node
        line.append(this.drawToken(token))
        token.node.style.flexGrow = token.end - token.start
        if (token.node.classList.contains("breaks")) block.end ??= element("span", "break")
      }
      block.node.append(line)
    }
  }

  /** The name of each tokenizer and how many tokens it has, beside the first line of blocks. */
  drawTotals() {
    this.totals.hidden = !this.data.blocks || !this.rows[0].total
    if (this.totals.hidden) return
    const lines = this.data.rows.map((row) => {
      const line = element("div", "row")
      const total = element("span", "total", row.total.toLocaleString("en"))
      line.append(element("span", "name", row.name), total)
      if (row.measure) line.append(element("span", "measure", row.measure))
      return line
    })
    this.totals.replaceChildren(...lines)
  }

  /** Write the names in front of every line of blocks, wherever the window breaks it. */
  stanzas() {
    if (!this.data?.blocks) return
    const tops = this.blocks.map(({ node }) => node.getBoundingClientRect().top)
    this.blocks.forEach(({ node }, at) => {
      const first = at === 0 || tops[at] > tops[at - 1] + 1
      if (first === node.classList.contains("first")) return
      node.classList.toggle("first", first)
      if (first) [...node.children].forEach((line, r) => (line.dataset.name = this.rows[r].name))
    })
  }

  drawLegend() {
    this.legend.replaceChildren(
      ...this.words.signs.flatMap(([kind, sign, means]) => {
        const name = element("dt")
        name.append(this.sign(kind, sign))
        return [name, element("dd", null, means)]
      }),
    )
  }

  /** A sign as it stands in the text. */
  sign(kind, sign) {
    if (kind === "token" || kind === "special" || kind === "same") {
      const token = element("span", kind === "same" ? "sign alike" : "sign hue1", sign)
      token.dataset.kind = kind
      return token
    }
    if (kind === "part") {
      const token = element("span", "sign hue2")
      const [fraction, character] = sign.split(" ")
      const part = element("span", "part")
      part.append(element("span", "fraction", fraction), element("span", "glyph", character))
      token.append(part)
      return token
    }
    return element("span", kind === "control" ? "control" : "mono", sign)
  }

  drawList() {
    this.list.hidden = !this.show.list || Boolean(this.data.blocks) || !this.rows[0].count
    if (this.list.hidden || this.listed === this.version) return
    this.listed = this.version
    const all = new Chunks()
    for (const token of this.rows[0].tokens) {
      const item = element("span", `id ${token.hue}`, String(token.id))
      item.token = token
      token.item = item
      all.append(item, " ")
      all.count(token.index % CHUNK === 0)
    }
    this.list.replaceChildren(...all.chunks)
  }

  /** Label everything in the page's language. */
  name() {
    this.text.setAttribute("aria-label", this.words.tokens)
    for (const row of this.rows) {
      for (const token of row.tokens) {
        token.node.setAttribute("aria-label", this.speech.line(token))
      }
    }
  }

  drawBar() {
    const { data, words } = this
    const { first, count, total, name } = this.rows[0]
    const windows = [first, count, total, name, data.earlier, data.later]
    const says = [this.language, data.blocks && count === total ? total > 0 : windows]
    if (this.barSays === JSON.stringify(says)) return
    this.barSays = JSON.stringify(says)
    this.bar.replaceChildren()
    if (!total) {
      this.bar.append(element("span", "quiet", words.none))
      return
    }
    const windowed = count < total
    const said = windowed
      ? fill(words.window, { first: first + 1, last: first + count, total })
      : fill(words.count, { total })
    // Side by side the numbers stand at the names; a window is that of the first tokenizer.
    const several = data.blocks ? (windowed ? `${name}: ${said}` : "") : said
    this.bar.append(element("span", "count", several))
    if (windowed) {
      for (
        const [label, to] of [
          [words.earlier, data.earlier],
          [words.later, data.later],
        ]
      ) {
        const turn = button(label, () => {
          this.pinned = null
          this.tell(to)
        })
        turn.disabled = to === null
        this.bar.append(turn)
      }
    }
    const toggles = element("span", "toggles")
    const toggle = (what, label) => {
      const press = button(label, () => {
        this.show[what] = !this.show[what]
        press.setAttribute("aria-pressed", String(this.show[what]))
        this.switch()
      })
      press.setAttribute("aria-pressed", String(Boolean(this.show[what])))
      toggles.append(press)
    }
    toggle("glyphs", words.glyphs)
    toggle("beside", words.beside)
    if (!data.blocks) toggle("list", words.list)
    const explain = button(words.explain, () => {
      this.legend.hidden = !this.legend.hidden
      explain.setAttribute("aria-expanded", String(!this.legend.hidden))
    })
    explain.setAttribute("aria-expanded", String(!this.legend.hidden))
    toggles.append(explain)
    this.bar.append(toggles)
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
    const { made } = this.data
    const known = made && this.pinned && made.id === this.pinned.id &&
      made.of === this.at(this.pinned)
    this.inspector.draw(this.pinned, this.speech, known ? made : null, this.data.actions)
    // It is brought into sight when it opens, and when what Python knows makes it larger.
    const { pinned } = this
    const state = pinned && [this.at(pinned), pinned.index, Boolean(known)].join()
    this.place(state !== this.shown)
    this.shown = state
  }

  /** Put the inspector beside its token: below it, or above where there is more room. `show` it. */
  place(show = false) {
    const { node } = this.inspector
    if (!this.pinned || node.hidden) return
    const frame = this.root.getBoundingClientRect()
    const pinned = (this.pinned.block ?? this.pinned.node).getBoundingClientRect()
    const token = this.pinned.node.getClientRects()[0]
    if (!token) return
    const pane = this.text.getBoundingClientRect()
    const top = Math.max(pinned.top, pane.top)
    const bottom = Math.min(pinned.bottom, pane.bottom)
    const below = globalThis.innerHeight - bottom - 16
    const over = top - TOP - 16
    node.style.maxHeight = "none"
    const above = below < node.offsetHeight && over > below
    node.style.maxHeight = `${Math.max(LOWEST, above ? over : below)}px`
    const left = Math.max(0, Math.min(token.left - frame.left - 16, frame.width - node.offsetWidth))
    node.style.left = `${left}px`
    node.style.top = `${(above ? top - node.offsetHeight - 8 : bottom + 8) - frame.top}px`
    if (show) node.scrollIntoView({ block: "nearest" })
  }

  at(token) {
    return this.rows.indexOf(token.row)
  }

  // Hover, focus, pin

  hover(token) {
    if (token === this.hovered) return
    paint(this.hovered, "hovered", false)
    this.hovered = token
    paint(token, "hovered", true)
    this.say()
  }

  /** Move the keyboard's place to a token. */
  focus(token) {
    this.current?.node.setAttribute("tabindex", "-1")
    this.current = token
    token.node.tabIndex = 0
    token.node.focus({ preventScroll: true })
    scrollInto(this.text, token.node)
  }

  press(event) {
    const token = tokenAt(event)
    if (!token || event.ctrlKey || event.metaKey || event.altKey) return
    const { tokens } = token.row
    const at = token.index - token.row.first
    const to = {
      ArrowRight: () => tokens[at + 1],
      ArrowLeft: () => tokens[at - 1],
      ArrowDown: () => this.beside(token, 1),
      ArrowUp: () => this.beside(token, -1),
      Home: () => tokens[0],
      End: () => tokens.at(-1),
    }[event.key]
    if (to) {
      const next = to() ?? token
      this.focus(next)
      this.hover(null)
      this.pin(next, PIN_DELAY)
    } else if (event.key === "Enter" || event.key === " ") {
      this.pin(token === this.pinned ? null : token)
    } else if (event.key === "Escape") {
      this.hover(null)
      this.pin(null)
    } else return
    event.preventDefault()
  }

  /** The nearest token on the line below (`step` 1) or above (-1): of the next tokenizer in the
   *  same block, or of the same text. */
  beside(token, step) {
    const here = token.node.getClientRects()[0]
    const nearest = (tokens) => {
      const far = (other) => Math.abs(other.node.getClientRects()[0].left - here.left)
      return tokens.reduce((best, other) => (far(other) < far(best) ? other : best), tokens[0])
    }
    if (token.block) {
      const row = this.rows[this.at(token) + step]
      return row && nearest(row.tokens.filter((other) => other.block === token.block))
    }
    const middle = (rect) => rect.top + rect.height / 2
    const line = []
    for (let at = token.index - token.row.first + step; token.row.tokens[at]; at += step) {
      const other = token.row.tokens[at]
      const height = middle(other.node.getClientRects()[0])
      if ((height - middle(here)) * step < here.height / 2) continue
      const first = line[0] && middle(line[0].node.getClientRects()[0])
      if (first !== undefined && Math.abs(height - first) > here.height / 2) break
      line.push(other)
    }
    return nearest(line)
  }

  pin(token, delay = 0) {
    this.pinned = token
    this.mark()
    this.drawInspector()
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.tell(this.data.start), delay)
  }

  /** Tell Python which window is shown and which token is pinned. */
  tell(start) {
    const pinned = this.pinned && { row: this.at(this.pinned), index: this.pinned.index }
    this.setStateValue("state", { of: this.data.of, start, pinned })
  }

  /** Take all marks away, of the pointer and of the keyboard, too. */
  unmark() {
    this.hover(null)
    this.current?.node.setAttribute("tabindex", "-1")
    this.pinned = null
    if (this.marked.length) this.mark()
  }

  /** Mark the pinned token and, less strongly, where else its id stands. */
  mark() {
    for (const token of this.marked) {
      paint(token, "pinned", false)
      paint(token, "again", false)
      token.node.removeAttribute("aria-selected")
    }
    const { pinned } = this
    this.marked = pinned ? pinned.row.places.get(pinned.id) : []
    for (const token of this.marked) paint(token, token === pinned ? "pinned" : "again", true)
    pinned?.node.setAttribute("aria-selected", "true")
  }
}

/** Whether the reader writes a text somewhere. */
function isTyping() {
  let active = document.activeElement
  while (active?.shadowRoot) active = active.shadowRoot.activeElement
  return active?.tagName === "TEXTAREA"
}

/** What the lines of a block spell, and how: those of equal signatures look alike. */
function spelled(lines) {
  const [token] = lines.find((tokens) => tokens.length) ?? []
  if (!token) return ""
  const { row, start } = token
  const last = lines.flat().findLast((other) => other.row === row)
  const units = row.units.slice(row.unitOf[start], row.unitOf[last.end - 1] + 1)
  const text = units.map((unit) =>
    unit.text ?? hex(row.bytes.subarray(unit.start, unit.start + unit.size))
  )
  const ids = lines.map((tokens) => tokens.map((other) => other.id).join(",")).join(";")
  return `${ids} ${start - units[0].start} ${last.end - start} ${text.join("")}`
}

/** Pairs of old and new blocks that look alike: those before an edit, and those behind it. */
function alike(old, now) {
  const same = (i, j) => i >= 0 && j >= 0 && old[i]?.spells === now[j]?.spells
  const most = Math.min(old.length, now.length)
  let head = 0
  while (head < most && same(head, head)) head++
  // A window of a long text ends at another block after the edit.
  let tail = { size: 0 }
  for (let shift = -SHIFT; shift <= SHIFT; shift++) {
    const i = old.length - 1 - Math.max(shift, 0)
    const j = now.length - 1 - Math.max(-shift, 0)
    let size = 0
    while (i - size >= head && j - size >= head && same(i - size, j - size)) size++
    if (size > tail.size) tail = { size, i, j }
  }
  const pairs = []
  for (let n = 0; n < head; n++) pairs.push([old[n], now[n]])
  for (let n = 0; n < tail.size; n++) pairs.push([old[tail.i - n], now[tail.j - n]])
  return pairs
}

/** Give hues to the tokens that have none yet, each another than its neighbours'. */
function giveHues(tokens) {
  let before = null
  tokens.forEach((token, n) => {
    const after = tokens[n + 1]?.given ?? null
    let hue = token.given ?? ((before ?? token.index) + 1) % HUES
    while (hue === before || hue === after) hue = (hue + 1) % HUES
    token.dye(hue)
    before = hue
  })
}

/** Blocks of tokens; the browser neither styles nor lays out those that are out of sight. */
class Chunks {
  constructor() {
    this.chunks = []
    this.open = null
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

  /** Note that a token is complete; after a `last` one a new chunk may begin. */
  count(last) {
    this.size += 1
    if (!(last && this.size >= CHUNK) && this.size < LONGEST_CHUNK) return
    this.size = 0
    this.open = null
  }
}

function paint(token, className, on) {
  token?.node.classList.toggle(className, on)
  token?.item?.classList.toggle(className, on)
}

/** The token that an event happened in, or null. */
function tokenAt(event) {
  for (const node of event.composedPath()) {
    if (node.token) return node.token
    if (node === event.currentTarget) return null
  }
  return null
}

/** Scroll the pane, never the page, until a token is in sight. */
function scrollInto(pane, node) {
  const box = pane.getBoundingClientRect()
  const rect = node.getBoundingClientRect()
  if (rect.top < box.top) pane.scrollTop -= box.top - rect.top + 8
  else if (rect.bottom > box.bottom) pane.scrollTop += rect.bottom - box.bottom + 8
}

export default mounted(TokenView)
