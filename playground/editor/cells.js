// A text as coloured cells. A cell is a run of characters that belong to the same tokens: one token
// for most; several where tokens share the bytes of one character.

const HUES = 6
const RUN = 120 // cells that are drawn together

/** Cells of `text` under tokens of so many bytes: {length, tokens, joined} as arrays. `joined` is 1
 *  where the first token of a cell is the last one of the cell before. */
function cellsOf(text, sizes) {
  const cells = { length: [], tokens: [], joined: [] }
  let token = 0
  let end = sizes[0] ?? 0 // in bytes, of this token
  let at = 0 // bytes
  let open = 0 // UTF-16 units of the cell that is not complete
  let joined = 0
  const close = (length, tokens) => {
    cells.length.push(length)
    cells.tokens.push(tokens)
    cells.joined.push(joined)
  }
  const next = () => {
    token += 1
    end += sizes[token] ?? Infinity
  }
  for (let i = 0; i < text.length; ) {
    const code = text.codePointAt(i)
    const units = code > 0xffff ? 2 : 1
    at += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    if (end >= at) open += units
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
      close(units, tokens)
      joined = 1
    }
    if (end === at) {
      if (open) close(open, 1)
      open = 0
      joined = 0
      while (end === at && token < sizes.length) next()
    }
    i += units
  }
  if (open) close(open, 1)
  return cells
}

/** Where two texts differ: {at, removed, inserted}, lengths in UTF-16 units. */
function difference(before, after) {
  const most = Math.min(before.length, after.length)
  let at = 0
  while (at < most && before.charCodeAt(at) === after.charCodeAt(at)) at++
  let tail = 0
  while (
    tail < most - at &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++
  return { at, removed: before.length - at - tail, inserted: after.length - at - tail }
}

/** The coloured layer: cells with their hues, and the elements in which they are drawn. */
class Paint {
  constructor(node, frame) {
    this.node = node
    this.text = ""
    this.length = []
    this.tokens = [] // 0 for what was typed since and belongs to no token yet
    this.joined = []
    this.hue = [] // of the first token of the cell
    this.runs = [] // {node, cells, size, drawn, spans}
    this.spares = []
    this.end = document.createTextNode("\u200b") // keeps the height of a last empty line
    node.append(this.end)
    this.near = new IntersectionObserver((entries) => this.look(entries), {
      root: frame,
      rootMargin: "400px",
    })
  }

  destroy() {
    this.near.disconnect()
  }

  /** Follow an edit before the server has answered: old colours stay where their text is. */
  edit(text) {
    const { at, removed, inserted } = difference(this.text, text)
    this.text = text
    if (!removed && !inserted) return
    const first = this.cellAt(at)
    let last = first
    let from = first.start
    let until = from
    const kept = { length: [], tokens: [], joined: [], hue: [] }
    const keep = (cell, length) => {
      if (length <= 0) return
      kept.length.push(length)
      for (const what of ["tokens", "joined", "hue"]) kept[what].push(this[what][cell])
    }
    let cell = first.cell
    let left = 0 // of the first cell
    let right = 0 // of the last
    let rightCell = cell
    while (cell < this.length.length && (until < at + removed || cell === first.cell)) {
      const start = until
      until += this.length[cell]
      if (start < at) left = at - start
      if (until > at + removed) {
        right = until - Math.max(at + removed, start)
        rightCell = cell
      }
      cell += 1
      if (until >= at + removed && until > at) break
    }
    if (right && left && rightCell === first.cell) {
      keep(first.cell, left + inserted + right) // inside one token: it grows or shrinks
    } else if (inserted && left && inserted < 40) {
      keep(first.cell, left + inserted)
      keep(rightCell, right)
    } else if (inserted && !left && first.cell > 0 && inserted < 40) {
      // At the end of a token: it grows until the server says otherwise.
      this.splice(first.cell - 1, cell, {
        length: [this.length[first.cell - 1] + inserted, ...(right ? [right] : [])],
        tokens: [this.tokens[first.cell - 1], ...(right ? [this.tokens[rightCell]] : [])],
        joined: [this.joined[first.cell - 1], ...(right ? [this.joined[rightCell]] : [])],
        hue: [this.hue[first.cell - 1], ...(right ? [this.hue[rightCell]] : [])],
      })
      return
    } else {
      keep(first.cell, left)
      if (inserted) {
        kept.length.push(inserted)
        kept.tokens.push(0)
        kept.joined.push(0)
        kept.hue.push(0)
      }
      keep(rightCell, right)
    }
    this.splice(first.cell, cell, kept)
  }

  cellAt(at) {
    let start = 0
    let cell = 0
    while (cell < this.length.length && start + this.length[cell] <= at) start += this.length[cell++]
    return { cell, start }
  }

  /** Colour the text by cells that the server's answer gives; what stays the same keeps its hue. */
  answer(cells) {
    const total = cells.length.length
    const now = this.length.length
    const same = (i, j) =>
      this.length[i] === cells.length[j] &&
      this.tokens[i] === cells.tokens[j] &&
      this.joined[i] === cells.joined[j]
    let first = 0
    while (first < Math.min(total, now) && same(first, first)) first++
    let tail = 0
    while (tail < Math.min(total, now) - first && same(now - 1 - tail, total - 1 - tail)) tail++
    if (first === total && first === now) return
    const between = {}
    for (const what of ["length", "tokens", "joined"]) {
      between[what] = cells[what].slice(first, total - tail)
    }
    const last = (cell) => (cell < 0 ? -1 : (this.hue[cell] + Math.max(this.tokens[cell], 1) - 1) % HUES)
    let hue = last(first - 1)
    between.hue = between.length.map((_, i) => {
      const own = between.joined[i] ? Math.max(hue, 0) : (hue + 1) % HUES
      hue = (own + between.tokens[i] - 1) % HUES
      return own
    })
    const behind = now - tail
    const end = between.hue.length - 1
    if (tail && end >= 0 && hue === this.hue[behind] && !this.joined[behind] && !between.joined[end]) {
      // The last new token would look like the old one behind it.
      const before = end ? (between.hue[end - 1] + between.tokens[end - 1] - 1) % HUES : last(first - 1)
      for (let other = 1; other < HUES; other++) {
        const own = (between.hue[end] + other) % HUES
        const its = (own + between.tokens[end] - 1) % HUES
        if (own !== before && its !== this.hue[behind]) {
          between.hue[end] = own
          break
        }
      }
    }
    this.splice(first, behind, between)
  }

  /** Put other cells in the place of those from `first` to before `end`, and draw what changed. */
  splice(first, end, cells) {
    let run = 0
    let start = 0 // cells before the run
    let offset = 0 // characters before it
    while (run < this.runs.length - 1 && start + this.runs[run].cells <= first) {
      start += this.runs[run].cells
      offset += this.runs[run].size
      run++
    }
    let until = run
    let covered = start
    let drawn = false
    while (until < this.runs.length && (covered < end || until === run)) {
      covered += this.runs[until].cells
      drawn ||= this.runs[until].drawn
      until++
    }
    for (const what of ["length", "tokens", "joined", "hue"]) {
      const head = this[what].slice(0, first)
      this[what] = head.concat(cells[what], this[what].slice(end))
    }
    const fresh = cells.length.length
    covered += fresh - (end - first)
    if (until === run + 1 && covered > start && covered - start < RUN * 3) {
      this.mend(this.runs[run], start, offset, first - start, end - start, fresh)
    } else this.renew(run, until, start, covered, offset, drawn)
  }

  /** Change cells inside one run. No node is taken away, as Chromium would undo one letter at a
   *  time then; what is left over is emptied, and goes with the next :func:`tidy`. */
  mend(run, start, offset, from, until, fresh) {
    run.cells += fresh - (until - from)
    run.size = 0
    for (let cell = start; cell < start + run.cells; cell++) run.size += this.length[cell]
    if (!run.drawn) {
      run.node.firstChild.data = this.text.slice(offset, offset + run.size)
      return
    }
    const old = run.spans.slice(from, until)
    const behind = run.spans[until] ?? null
    const now = []
    for (let n = 0; n < fresh; n++) {
      const span = old[n] ?? this.span()
      if (!old[n]) run.node.insertBefore(span, behind)
      now.push(span)
    }
    for (const spare of old.slice(fresh)) {
      spare.firstChild.data = ""
      spare.className = ""
      this.spares.push(spare)
    }
    run.spans.splice(from, until - from, ...now)
    for (let cell = start; cell < start + from; cell++) offset += this.length[cell]
    now.forEach((span, n) => {
      this.show(span, start + from + n, offset)
      offset += this.length[start + from + n]
    })
  }

  /** Draw all cells of some runs in new ones. */
  renew(run, until, start, covered, offset, drawn) {
    const fresh = []
    for (let at = start; at < covered; ) {
      const count = covered - at < RUN * 1.5 ? covered - at : RUN
      let size = 0
      for (let cell = at; cell < at + count; cell++) size += this.length[cell]
      const made = { node: document.createElement("span"), cells: count, size, drawn: false }
      made.node.run = made
      if (drawn || this.runs.length === 0) this.draw(made, at, offset)
      else made.node.append(this.text.slice(offset, offset + size))
      fresh.push(made)
      offset += size
      at += count
    }
    const old = this.runs.splice(run, until - run, ...fresh)
    for (const gone of old) {
      this.near.unobserve(gone.node)
      gone.node.remove()
    }
    const behind = this.runs[run + fresh.length]?.node ?? this.end
    for (const made of fresh) {
      this.node.insertBefore(made.node, behind)
      this.near.observe(made.node)
    }
  }

  /** Take away what edits left over; while nobody types. */
  tidy() {
    for (const spare of this.spares.splice(0)) spare.remove()
  }

  draw(run, cell, offset) {
    run.spans = []
    const all = document.createDocumentFragment()
    for (let n = 0; n < run.cells; n++, cell++) {
      const span = this.span()
      this.show(span, cell, offset)
      offset += this.length[cell]
      run.spans.push(span)
      all.append(span)
    }
    run.node.replaceChildren(all)
    run.drawn = true
  }

  span() {
    const made = document.createElement("span")
    made.append("")
    return made
  }

  /** Write a cell into its element. */
  show(span, cell, offset) {
    const text = this.text.slice(offset, offset + this.length[cell])
    const tokens = this.tokens[cell]
    const className = tokens ? `cell hue${this.hue[cell]}${tokens > 1 ? " shared" : ""}` : ""
    if (span.firstChild.data !== text) span.firstChild.data = text
    if (span.className !== className) span.className = className
    const image = tokens > 1 ? stripes(this.hue[cell], tokens) : ""
    if (span.style.backgroundImage !== image) span.style.backgroundImage = image
  }

  /** Draw the runs that come near the window, and forget those that are far. */
  look(entries) {
    const wanted = new Map(entries.map((entry) => [entry.target.run, entry.isIntersecting]))
    let cell = 0
    let offset = 0
    for (const run of this.runs) {
      const near = wanted.get(run)
      if (near && !run.drawn) this.draw(run, cell, offset)
      else if (near === false && run.drawn) {
        run.node.textContent = this.text.slice(offset, offset + run.size)
        run.drawn = false
      }
      cell += run.cells
      offset += run.size
    }
  }
}

/** The hues of several tokens side by side in one character. */
function stripes(hue, tokens) {
  const stops = []
  for (let n = 0; n < tokens; n++) {
    const colour = `var(--paper${(hue + n) % HUES})`
    stops.push(`${colour} ${(n / tokens) * 100}%`, `${colour} calc(${((n + 1) / tokens) * 100}% - 1px)`)
    if (n < tokens - 1) {
      const edge = ((n + 1) / tokens) * 100
      stops.push(`var(--edge) calc(${edge}% - 1px)`, `var(--edge) ${edge}%`)
    }
  }
  return `linear-gradient(to right, ${stops.join(", ")})`
}
