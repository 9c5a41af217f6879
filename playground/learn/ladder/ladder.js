// One text in several rows, each cut in its own way, over the same bytes: whatever is pointed at
// lights up in every row. A row may follow a slider: through the merges of a training, which are
// worked out here, or through frames that were sent.

/** @import { Card } from "../../browser/cards.js" */
/** @import { TrainingData } from "../../browser/training.js" */
/** @import { TransportWords } from "../../browser/transport.js" */
/** @import { Unit } from "../../browser/utf8.js" */
/** @import { ChartData } from "./chart.js" */
/** @import { Cell, Cut, RowData } from "./rows.js" */
import { element, mounted } from "../../browser/elements.js"
import { glyphOf } from "../../browser/glyphs.js"
import { Picture } from "../../browser/picture.js"
import { Training, Word } from "../../browser/training.js"
import { decoded, hex, unitsOf } from "../../browser/utf8.js"
import { fill, shorten } from "../../browser/words.js"
import { Chart } from "./chart.js"
import { cells, Rows } from "./rows.js"

const LONGEST_STATUS = 160

/**
 * What Python sends; `bytes` is the text in base64, `pieces` how many bytes its pre-tokens have, and
 * `positions` what is written beside the slider of frames.
 * @typedef {{
 *   version: string, bytes: string, rows: RowData[], cards: Card[], pieces: number[], step: number,
 *   positions: string[], notes: string, training: (TrainingData & {version: string}) | null,
 *   chart: ChartData | null,
 *   labels: {transport: TransportWords, hint: string, id: string, merge: string},
 * }} Data
 */

/** @extends {Picture<Data>} */
class Ladder extends Picture {
  /** @type {Data} */
  data
  version = ""
  bytes = new Uint8Array()
  /** @type {Unit[]} */
  units = []
  /** @type {Training | null} */
  training = null
  /** @type {string | null} the version of the training */
  trainedAs = null
  /** @type {Word[]} the pre-tokens */
  pieces = []
  step = 0
  /** @type {Set<number> | null} the rows that a card speaks of */
  spoken = null
  /** @type {Cell | undefined} what is pointed at */
  lit = undefined

  /** @param {HTMLElement | ShadowRoot} parent */
  constructor(parent) {
    super(parent, "ladder")
    this.rows = new Rows()
    this.status = element("p", "status quiet")
    this.chart = new Chart((step) => this.transport.go(step))
    this.notes = element("div", "notes")
    this.noted = element("ul")
    this.notesTitle = element("p", "quiet")
    this.notes.append(this.notesTitle, this.noted)
    this.root.append(
      this.player,
      this.rows.node,
      this.status,
      this.notes,
      this.chart.node,
      this.cards.node,
    )
  }

  /** @param {Data} data */
  update(data) {
    const fresh = data.version !== this.version
    this.version = data.version
    this.data = data
    this.bytes = decoded(data.bytes)
    this.units = unitsOf(this.bytes)
    if (data.training) this.follow(data.training)
    else {
      this.training = this.trainedAs = null
      if (fresh) this.stand(data.positions.length - 1)
    }
    this.transport.places = data.positions.length ? data.positions : null
    this.player.hidden = !this.transport.last
    this.root.classList.toggle("with-bytes", data.rows.some((row) => row.kind === "bytes"))
    this.tell(data.cards, data.labels.transport)
    this.chart.reset(data.chart, this.pieces, this.bytes.length, this.training?.last ?? 0)
    this.rows.reset(this.bytes, this.units, data.rows, this.training && data.pieces)
    this.focus(this.cards.top)
    this.show(this.step)
  }

  /** @param {TrainingData & {version: string}} given */
  follow(given) {
    const training = this.trainedAs === given.version ? this.training : null
    this.training = training ?? new Training(given)
    this.trainedAs = given.version
    if (!training) this.stand(this.training.last)
    let at = 0
    this.pieces = this.data.pieces.map((size) => {
      const symbols = Array.from(this.bytes.subarray(at, at += size))
      return new Word(/** @type {Training} */ (this.training), 1, () => symbols)
    })
  }

  /**
   * Stand where Python says on a slider of so many steps.
   * @param {number} last
   */
  stand(last) {
    this.transport.reset(Math.max(0, last), this.data.step)
    this.step = this.transport.step
  }

  /**
   * A card that speaks of rows leaves the others pale.
   * @param {Card | undefined} card
   */
  focus(card) {
    super.focus(card)
    const numbers = card?.part.match(/^rows? ([\d, ]+)$/)?.[1]
    this.spoken = numbers ? new Set(numbers.split(",").map(Number)) : null
    this.relight()
  }

  /**
   * How a row is cut at a step.
   * @param {RowData} row
   * @param {number} step
   * @returns {Cut}
   */
  at(row, step) {
    const { training } = this
    if (row.kind !== "bpe" || !training) {
      return row.frames.findLast((frame) => frame.step <= step) ?? row.frames[0]
    }
    const sizes = this.pieces.flatMap((piece) =>
      piece.cut(step).map((symbol) => training.spelling[symbol].length)
    )
    return { step, sizes, labels: null, ids: null, note: "", faded: [], count: null }
  }

  /** @param {number} step */
  show(step) {
    this.step = step
    const { rows } = this.data
    const cuts = rows.map((row) => this.at(row, step))
    this.rows.show(cuts)
    this.notesTitle.textContent = this.data.notes
    const lines = cuts.flatMap(({ note }, row) => {
      if (!note) return []
      const line = element("li")
      line.append(element("b", "", rows[row].name), ` · ${note}`)
      return [line]
    })
    this.noted.replaceChildren(...lines)
    this.notes.hidden = !rows.some((row) => row.frames.some(({ note }) => note))
    this.chart.show(step)
    this.relight()
    this.rows.node.setAttribute("aria-label", this.transport.place.textContent ?? "")
  }

  /** @param {Event | null} event */
  light(event) {
    this.lit = cells.at(event)
    this.relight()
  }

  relight() {
    const { lit } = this
    const { labels } = this.data
    this.rows.light(lit, this.spoken)
    this.status.textContent = labels.hint
    this.transport.mark(null)
    if (!lit) return
    const { row, cut, index, start, end } = lit
    const said = [row.name, `“${this.textOf(lit)}”`, hex(this.bytes.subarray(start, end))]
    if (cut.ids) said.push(fill(labels.id, { id: String(cut.ids[index]) }))
    const made = this.mergeAt(lit)
    if (made !== undefined) {
      this.transport.mark(made + 1)
      said.push(fill(labels.merge, { step: made + 1 }))
    }
    this.status.textContent = shorten(said.join(" · "), LONGEST_STATUS)
  }

  /** @param {Cell} cell */
  textOf({ start, end }) {
    return this.units
      .filter((unit) => unit.start < end && unit.start + unit.size > start)
      .map((unit) => (unit.text === null ? "�" : glyphOf(unit.text)))
      .join("")
  }

  /**
   * The number of the merge that made the BPE token over a cell.
   * @param {Cell} cell
   */
  mergeAt({ start, end }) {
    const { training } = this
    if (!training) return undefined
    let at = 0
    for (const piece of this.pieces) {
      for (const symbol of piece.cut(this.step)) {
        const size = training.spelling[symbol].length
        if (at <= start && at + size >= end) return training.madeBy.get(symbol)
        at += size
      }
    }
    return undefined
  }
}

export default mounted(Ladder)
