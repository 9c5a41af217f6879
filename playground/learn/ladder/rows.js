// The rows: cells over the same bytes, in blocks between the boundaries that all rows have, so that
// a long text wraps.

/** @import { Unit } from "../../browser/utf8.js" */
import { element, HUES, Meanings } from "../../browser/elements.js"
import { drawBytes } from "../../browser/glyphs.js"
import { hex } from "../../browser/utf8.js"
import { number } from "../../browser/words.js"

/**
 * How a row is cut from a step on: how many bytes each cell has, and what is written on it in place
 * of the text.
 * @typedef {{
 *   step: number, sizes: number[], labels: (string | null)[] | null, ids: number[] | null,
 *   note: string, faded: number[], count: number | null,
 * }} Cut
 */
/**
 * A row follows the slider with `frames`, or the training as kind "bpe".
 * @typedef {{
 *   name: string, kind: "bytes" | "characters" | "words" | "tokens" | "bpe",
 *   frames: Cut[], walls: number[],
 * }} RowData
 */
/** A cell of a row, as it is cut, from byte `start` to byte `end`. @typedef {{row: RowData, cut: Cut, index: number, start: number, end: number}} Cell */

/** What a cell stands for. @type {Meanings<Cell>} */
export const cells = new Meanings()

export class Rows {
  /** @type {Uint8Array} */
  bytes
  /** @type {readonly Unit[]} */
  units
  /** @type {readonly RowData[]} */
  rows = []
  /** @type {{node: HTMLElement, start: number, end: number}[]} */
  blocks = []
  /** @type {{node: HTMLElement, total: HTMLElement}[]} beside each row */
  names = []
  /** @type {HTMLElement[][]} of each row */
  cells = []
  /** @type {string[]} how each row is drawn */
  drawn = []

  constructor() {
    this.node = element("div", "rows")
    this.column = element("div", "names-column")
    this.lines = element("div", "lines")
    this.node.append(this.column, this.lines)
    this.node.dataset.part = "rows"
    this.node.role = "group"
    // On a phone it is wider than the screen, and scrolled by the keyboard, too.
    new ResizeObserver(([{ target }]) => {
      this.node.tabIndex = target.scrollWidth > target.clientWidth ? 0 : -1
    }).observe(this.node)
    new ResizeObserver(() => this.label()).observe(this.lines)
  }

  /** Write the names of the rows before each line of blocks; what is read aloud has them once. */
  label() {
    const lines = new Set(this.blocks.map(({ node }) => node.offsetTop)).size
    while (this.column.childElementCount > Math.max(lines, 1)) {
      this.column.lastElementChild?.remove()
    }
    while (this.column.childElementCount < lines) {
      const again = element("div", "names-block repeated")
      again.ariaHidden = "true"
      again.append(...this.rows.map((row) => element("div", "row-name", row.name)))
      this.column.append(again)
    }
  }

  /**
   * Begin anew.
   * @param {Uint8Array} bytes
   * @param {readonly Unit[]} units
   * @param {readonly RowData[]} rows
   * @param {readonly number[] | null} pieces the pre-tokens of a training
   */
  reset(bytes, units, rows, pieces) {
    this.bytes = bytes
    this.units = units
    this.rows = rows
    this.node.style.setProperty("--bytes", String(Math.max(bytes.length, 1)))
    this.blocks = []
    let start = 0
    for (const end of commonBoundaries(units, rows, pieces)) {
      if (end === start) continue
      const node = element("div", "block")
      node.style.gridTemplateColumns = `repeat(${end - start}, minmax(var(--byte), auto))`
      this.blocks.push({ node, start, end })
      start = end
    }
    this.names = rows.map((row) => {
      const node = element("div", "row-name")
      const total = element("span", "total")
      node.append(element("span", "label", row.name), total)
      return { node, total }
    })
    const names = element("div", "names-block")
    names.append(...this.names.map(({ node }) => node))
    this.column.replaceChildren(names)
    this.lines.replaceChildren(...this.blocks.map(({ node }) => node))
    this.node.style.setProperty("--rows", String(rows.length))
    this.label()
    this.drawn = rows.map(() => "")
    this.cells = rows.map(() => [])
  }

  /**
   * Draw the rows as they are cut now, those that have changed.
   * @param {readonly Cut[]} cuts
   */
  show(cuts) {
    cuts.forEach((cut, row) => {
      this.names[row].total.textContent = number(cut.count ?? cut.sizes.length)
      const drawn = [cut.sizes, cut.labels, cut.ids].join("/")
      if (this.drawn[row] === drawn) return
      this.drawn[row] = drawn
      this.draw(row, cut)
    })
  }

  /**
   * @param {number} row
   * @param {Cut} cut
   */
  draw(row, cut) {
    for (const cell of this.cells[row]) (cell.closest(".place-of") ?? cell).remove()
    this.cells[row] = []
    let at = 0
    let block = 0
    /** @type {HTMLElement | null} of the token drawn last, which one without bytes, as </w>, stands behind */
    let place = null
    /** @type {HTMLElement[]} such tokens where there is none yet, as ▁ */
    const before = []
    for (const [index, size] of cut.sizes.entries()) {
      const start = at
      at += size
      if (!size && !cut.labels?.[index]) continue
      const cell = this.cell({ row: this.rows[row], cut, index, start, end: at })
      this.cells[row].push(cell)
      if (!size) {
        if (place) place.append(cell)
        else before.push(cell)
        continue
      }
      while (this.blocks[block].end <= start) block++
      const inside = this.blocks[block]
      place = element("span", "place-of")
      place.style.gridColumn = `${start - inside.start + 1} / span ${size}`
      place.style.gridRow = String(row + 1)
      place.append(...before.splice(0), cell)
      inside.node.append(place)
    }
  }

  /** @param {Cell} cell */
  cell(cell) {
    const { row, cut, index, start, end } = cell
    const given = cut.labels?.[index]
    const plain = row.kind === "bytes" || row.kind === "characters"
    const bare = start === end ? "bare " : ""
    const node = element("span", `chip slot ${bare}${plain ? "base" : `hue${index % HUES}`}`)
    cells.set(node, cell)
    if (given) {
      node.append(given)
      node.classList.add("special")
    } else if (row.kind === "bytes") {
      node.append(element("span", "hex", hex(this.bytes.subarray(start, end))))
    } else drawBytes(node, this.bytes, this.units, start, end)
    if (cut.faded.includes(index)) node.classList.add("faded")
    if (row.walls.includes(start)) node.classList.add("wall")
    return node
  }

  /**
   * Light up what shares bytes with a cell; rows that a card does not speak of are pale.
   * @param {Cell | undefined} lit
   * @param {ReadonlySet<number> | null} spoken
   */
  light(lit, spoken) {
    this.cells.forEach((row, number) => {
      const pale = spoken !== null && !spoken.has(number)
      this.names[number].node.classList.toggle("pale", pale)
      for (const node of row) {
        const cell = cells.get(node)
        const shares = cell && lit && cell.start < lit.end && cell.end > lit.start
        node.classList.toggle("pale", pale)
        node.classList.toggle("lit", Boolean(shares))
      }
    })
  }
}

/**
 * The boundaries, in bytes, that all rows have. Rows of bytes have every one, and those that follow
 * a training have at least those of its pre-tokens; one that ends early has no say behind its end.
 * @param {readonly Unit[]} units
 * @param {readonly RowData[]} rows
 * @param {readonly number[] | null} pieces
 */
export function commonBoundaries(units, rows, pieces) {
  const cuts = rows
    .filter((row) => row.kind !== "bytes" && row.kind !== "bpe")
    .flatMap(({ frames }) => frames.map((frame) => frame.sizes))
  if (pieces) cuts.push([...pieces])
  if (!cuts.length) cuts.push(units.map((unit) => unit.size))
  const sets = cuts.map((sizes) => {
    let at = 0
    return new Set(sizes.map((size) => (at += size)))
  })
  const ends = sets.map((set) => Math.max(...set))
  const longest = sets[ends.indexOf(Math.max(...ends))]
  return [...longest]
    .filter((at) => sets.every((set, number) => at > ends[number] || set.has(at)))
    .sort((a, b) => a - b)
}
