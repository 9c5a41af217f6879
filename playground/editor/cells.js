// A text as coloured cells. A cell is a run of characters that belong to the same tokens: one token
// for most; several where tokens share the bytes of one character.

const HUES = 6
const BLOCK = 600 // characters, at least: then a block of lines ends at the next line break
const MARGIN = 200 // px beyond the window that are coloured, too

/** Cells of `text` under tokens of so many bytes: {length, tokens, joined} as arrays. `joined` is 1
 *  where the first token of a cell is the last one of the cell before. */
export function cellsOf(text, sizes) {
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
  for (let i = 0; i < text.length;) {
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
export function difference(before, after) {
  const most = Math.min(before.length, after.length)
  let at = 0
  while (at < most && before.charCodeAt(at) === after.charCodeAt(at)) at++
  let tail = 0
  while (
    tail < most - at &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail++
  }
  return { at, removed: before.length - at - tail, inserted: after.length - at - tail }
}

/** The coloured paper under the text: cells with their hues, drawn where one looks.
 *
 *  The layer holds the same letters as the textarea, unseen, in one text node for some lines. It has
 *  no elements along a line: Chromium rounds the width of each up, and lines would break elsewhere
 *  than in the textarea. Where a cell lies is asked of ranges. Boxes and blocks are kept when they
 *  are not needed, until :func:`tidy`: Chromium undoes one letter at a time where a node was taken
 *  away between two keys. */
export class Paint {
  constructor(layer, paper, frame) {
    this.layer = layer
    this.paper = paper
    this.frame = frame
    this.text = ""
    this.length = []
    this.tokens = [] // 0 for what was typed since and belongs to no token yet
    this.joined = []
    this.hue = [] // of the first token of the cell
    this.blocks = [] // {node, size}: some lines, the last line break included
    this.spares = []
    this.boxes = []
    this.drawn = 0 // boxes in use
    this.write(0, 0, "")
  }

  /** Follow an edit before the server has answered: old colours stay where their text is. */
  edit(text) {
    const { at, removed, inserted } = difference(this.text, text)
    this.text = text
    if (!removed && !inserted) return
    this.write(at, removed, text.slice(at, at + inserted))
    const first = this.cellAt(at)
    let until = first.start
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
    while (cell < this.length.length && start + this.length[cell] <= at) {
      start += this.length[cell++]
    }
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
    const last = (
      cell,
    ) => (cell < 0 ? 0 : (this.hue[cell] + Math.max(this.tokens[cell], 1) - 1) % HUES)
    let hue = last(first - 1)
    between.hue = between.length.map((_, i) => {
      const own = between.joined[i] ? Math.max(hue, 0) : (hue + 1) % HUES
      hue = (own + between.tokens[i] - 1) % HUES
      return own
    })
    const behind = now - tail
    const end = between.hue.length - 1
    if (
      tail && end >= 0 && hue === this.hue[behind] && !this.joined[behind] && !between.joined[end]
    ) {
      // The last new token would look like the old one behind it.
      const before = end
        ? (between.hue[end - 1] + between.tokens[end - 1] - 1) % HUES
        : last(first - 1)
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

  /** Put other cells in the place of those from `first` to before `end`. */
  splice(first, end, cells) {
    const few = cells.length.length < 1000 // as many as one call takes as arguments
    for (const what of ["length", "tokens", "joined", "hue"]) {
      if (few) this[what].splice(first, end - first, ...cells[what])
      else this[what] = this[what].slice(0, first).concat(cells[what], this[what].slice(end))
    }
  }

  /** Change the letters of the layer: blocks of lines, of which an edit lays out few again. */
  write(at, removed, inserted) {
    let first = 0
    let start = 0
    while (first < this.blocks.length - 1 && start + this.blocks[first].size <= at) {
      start += this.blocks[first++].size
    }
    let last = first
    let end = start
    while (last < this.blocks.length && (last === first || end < at + removed)) {
      end += this.blocks[last++].size
    }
    end += inserted.length - removed
    while (last < this.blocks.length && (end === start || this.text[end - 1] !== "\n")) {
      end += this.blocks[last++].size
    }
    const isEnd = last === this.blocks.length
    const pieces = []
    for (let from = start; from < end || (isEnd && !pieces.length);) {
      const line = end - from > BLOCK * 2 ? this.text.indexOf("\n", from + BLOCK) + 1 : 0
      const until = line && line < end ? line : end
      pieces.push(this.text.slice(from, until))
      from = until
      if (from === end) break
    }
    const old = this.blocks.slice(first, last)
    const behind = this.blocks[last]?.node ?? null
    const now = pieces.map((piece, n) => {
      let node = old[n]?.node
      if (!node) {
        node = document.createElement("div")
        node.append("")
        this.layer.insertBefore(node, behind)
      }
      // The last line has a height even where it is empty.
      const data = isEnd && n === pieces.length - 1 ? piece + "\u200b" : piece
      if (node.firstChild.data !== data) node.firstChild.data = data
      return { node, size: piece.length }
    })
    for (const { node } of old.slice(now.length)) {
      node.firstChild.data = ""
      this.spares.push(node)
    }
    this.blocks.splice(first, last - first, ...now)
  }

  /** Take away what edits left over; while nobody types. */
  tidy() {
    for (const spare of this.spares.splice(0)) spare.remove()
    for (const box of this.boxes.splice(this.drawn)) box.remove()
  }

  /** Draw the boxes of all cells near the window. */
  draw() {
    const frame = this.frame.getBoundingClientRect()
    const origin = this.layer.getBoundingClientRect()
    const top = frame.top - MARGIN
    const bottom = frame.bottom + MARGIN
    const seen = []
    let cell = 0
    let before = 0 // characters before the block
    let offset = 0 // characters before the cell
    const range = document.createRange()
    for (const { node, size } of this.blocks) {
      const end = before + size
      const rect = node.getBoundingClientRect()
      if (rect.bottom < top || rect.top > bottom) {
        before = end
        if (rect.top > bottom) break
        continue
      }
      const letters = node.firstChild
      const rects = (from, until) => {
        range.setStart(letters, from - before)
        range.setEnd(letters, until - before)
        return range.getClientRects()
      }
      while (cell < this.length.length && offset + this.length[cell] <= before) {
        offset += this.length[cell++]
      }
      if (rect.bottom - rect.top > 4 * (bottom - top)) {
        // A block of one long line: find where the window begins in it.
        let low = before
        let high = end - 1
        while (low < high) {
          const middle = (low + high) >> 1
          const [where] = rects(middle, middle + 1)
          if (where && where.bottom < top) low = middle + 1
          else high = middle
        }
        while (cell < this.length.length && offset + this.length[cell] <= low) {
          offset += this.length[cell++]
        }
      }
      while (cell < this.length.length && offset < end) {
        const until = offset + this.length[cell]
        if (this.tokens[cell]) {
          let last = null
          for (const where of rects(Math.max(offset, before), Math.min(until, end))) {
            if (where.width) seen.push({ cell, where: last = where, text: [offset, until] })
          }
          if (last && last.top > bottom) break
        }
        if (until > end) break // the rest of the cell is in the next block
        offset = until
        cell++
      }
      before = end
    }
    // All places are known before anything is changed: the window is laid out once.
    seen.forEach(({ cell, where, text }, n) => {
      const box = (this.boxes[n] ??= this.paper.appendChild(document.createElement("i")))
      const tokens = this.tokens[cell]
      box.className = `cell hue${this.hue[cell]}${tokens > 1 ? " shared" : ""}`
      box.style.backgroundImage = tokens > 1 ? stripes(this.hue[cell], tokens) : ""
      box.style.transform = `translate(${where.left - origin.left}px, ${where.top - origin.top}px)`
      box.style.width = `${where.width}px`
      box.style.height = `${where.height}px`
      box.dataset.at = text[0]
      box.dataset.text = this.text.slice(...text)
    })
    for (let n = seen.length; n < this.drawn; n++) this.boxes[n].className = "spare"
    this.drawn = seen.length
  }
}

/** The hues of several tokens side by side in one character. */
function stripes(hue, tokens) {
  const stops = []
  for (let n = 0; n < tokens; n++) {
    const colour = `var(--paper${(hue + n) % HUES})`
    stops.push(
      `${colour} ${(n / tokens) * 100}%`,
      `${colour} calc(${((n + 1) / tokens) * 100}% - 1px)`,
    )
    if (n < tokens - 1) {
      const edge = ((n + 1) / tokens) * 100
      stops.push(`var(--edge) calc(${edge}% - 1px)`, `var(--edge) ${edge}%`)
    }
  }
  return `linear-gradient(to right, ${stops.join(", ")})`
}
