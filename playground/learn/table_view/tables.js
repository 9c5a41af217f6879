// The tables of the incremental learner, merge by merge; cells that the last merge changed are
// marked, and whatever is pointed at lights up in every table.

/** @import { Card } from "../../browser/cards.js" */
/** @import { Code, CodeWords } from "../../browser/code.js" */
/** @import { TransportWords } from "../../browser/transport.js" */
import { element, Meanings, mounted } from "../../browser/elements.js"
import { Picture } from "../../browser/picture.js"
import { fill } from "../../browser/words.js"

/** @typedef {"places" | "positions" | "counts" | "heap"} Table */
/**
 * The tables after a merge. A place has its symbol, the place before it and the one behind it; the
 * other tables begin with a pair: its places, its count, or count and whether that is stale.
 * @typedef {{
 *   merge: [number, number, number] | null, spelling: Record<number, string>,
 *   places: [number | null, number | null, number | null][],
 *   positions: [number, number, number[]][], counts: [number, number, number][],
 *   heap: [number, number, number, boolean][],
 *   changes: {
 *     symbols: number[], previous: number[], next: number[],
 *     positions: number[][], counts: number[][], pushed: number[][],
 *   },
 * }} Step
 */
/**
 * @typedef {{
 *   version: string, steps: Step[], cards: Card[], code: Code | null,
 *   labels: {transport: TransportWords, code: CodeWords} & Record<Table | "stale" | "start" | "merged", string>,
 * }} Data
 */

/** The pair that a line stands for, or the place that a cell does. @type {Meanings<string | number>} */
const meanings = new Meanings()

/** @extends {Picture<Data>} */
class TableView extends Picture {
  /** @type {Data} */
  data
  version = ""
  tables = {
    places: pane("places"),
    positions: pane("positions"),
    counts: pane("counts"),
    heap: pane("heap"),
  }

  /** @param {HTMLElement | ShadowRoot} parent */
  constructor(parent) {
    super(parent, "tables-view")
    this.said = element("p", "said-now")
    const { places, positions, counts, heap } = this.tables
    const three = element("div", "three")
    three.append(positions.node, counts.node, heap.node)
    this.root.append(
      this.player,
      this.said,
      places.node,
      three,
      this.code.node,
      this.cards.node,
    )
  }

  /** @param {Data} data */
  update(data) {
    const { labels } = data
    const fresh = data.version !== this.version
    this.version = data.version
    this.data = data
    if (fresh) this.transport.reset(data.steps.length - 1, 0)
    const { places, positions, counts, heap } = this.tables
    places.title.textContent = labels.places
    positions.title.textContent = labels.positions
    counts.title.textContent = labels.counts
    heap.title.textContent = labels.heap
    this.tell(data.cards, labels.transport)
    this.show(this.transport.step)
    this.drawCode(data.code, labels.code)
    this.focus(this.cards.top)
  }

  /** @param {string} part */
  gives(part) {
    const { steps } = this.data
    const at = this.transport.step
    const [left, right, made] = steps[part === "places" ? at : at + 1]?.merge ?? []
    if (left === undefined || right === undefined || made === undefined) return []
    const { counts, spelling } = steps[at]
    if (part === "places") return [`new_id = ${made}`]
    const count = counts.find(([a, b]) => a === left && b === right)?.[2]
    return [part === "heap" ? `pair = (${spelling[left]}, ${spelling[right]})` : `count = ${count}`]
  }

  /** @param {number} step */
  show(step) {
    const { labels, steps } = this.data
    const state = steps[step]
    const { changes, merge } = state
    const { places, positions, counts, heap } = this.tables
    const name = (/** @type {number | null} */ symbol) =>
      symbol === null ? "∅" : state.spelling[symbol]
    const [left, right, made] = merge ?? []
    this.said.textContent = merge
      ? fill(labels.merged, {
        left: name(left ?? null),
        right: name(right ?? null),
        new: name(made ?? null),
        id: made,
      })
      : labels.start
    places.body.replaceChildren(...placesOf(state, name))
    /**
     * @param {[number, number]} pair
     * @param {string} value
     * @param {boolean} changed
     * @param {boolean} [stale]
     */
    const line = ([left, right], value, changed, stale = false) => {
      const row = element("span", `line-of ${stale ? "stale" : ""}`)
      meanings.set(row, `${left},${right}`)
      row.append(
        element("span", "pair-name", `${name(left)} ${name(right)}`),
        element("span", `value ${changed ? "changed" : ""}`, value),
      )
      return row
    }
    positions.body.replaceChildren(
      ...state.positions.map(([left, right, at]) =>
        line([left, right], at.join(" "), includes(changes.positions, left, right))
      ),
    )
    counts.body.replaceChildren(
      ...state.counts.map(([left, right, count]) => {
        const changed = includes(changes.counts, left, right)
        return line([left, right], String(count), changed, count === 0)
      }),
    )
    heap.body.replaceChildren(
      ...state.heap.map(([left, right, count, stale]) => {
        const value = `${count}${stale ? ` ${labels.stale}` : ""}`
        return line([left, right], value, includes(changes.pushed, left, right, count), stale)
      }),
    )
    this.light(null)
  }

  /**
   * A pair lights up its places and its lines; a place, the pairs that list it.
   * @param {Event | null} event
   */
  light(event) {
    const meant = meanings.at(event)
    const { positions } = this.data.steps[this.transport.step]
    const lit = positions.filter(([left, right, places]) =>
      typeof meant === "number" ? places.includes(meant) : meant === `${left},${right}`
    )
    /** @type {Set<string | number | undefined>} */
    const shown = new Set(meant === undefined ? [] : [meant])
    for (const [left, right, places] of lit) {
      shown.add(`${left},${right}`)
      if (typeof meant === "string") { for (const place of places) shown.add(place) }
    }
    for (const node of this.root.querySelectorAll(".line-of, .place-cell")) {
      const own = meanings.get(node)
      node.classList.toggle("lit-row", own !== undefined && shown.has(own))
    }
  }
}

/** @param {Table} part */
function pane(part) {
  const node = element("section", "pane")
  node.dataset.part = part
  const title = element("h4")
  const body = element("div", `body ${part}`)
  node.append(title, body)
  return { node, title, body }
}

/**
 * @param {Step} state
 * @param {(symbol: number | null) => string} name
 */
function placesOf({ places, changes }, name) {
  return places.map(([symbol, previous, next], at) => {
    const place = element("span", `place-cell ${symbol === null ? "dead" : ""}`)
    meanings.set(place, at)
    /**
     * @param {string} className
     * @param {string} text
     * @param {readonly number[]} changed
     */
    const cell = (className, text, changed) =>
      element("span", `${className} ${changed.includes(at) ? "changed" : ""}`, text)
    place.append(
      element("span", "index", String(at)),
      cell("symbol", name(symbol), changes.symbols),
      cell("link", previous === null ? "–" : String(previous), changes.previous),
      cell("link", next === null ? "–" : String(next), changes.next),
    )
    return place
  })
}

/**
 * @param {readonly number[][]} list
 * @param {number[]} entry
 */
const includes = (list, ...entry) => list.some((one) => String(one) === String(entry))

export default mounted(TableView)
