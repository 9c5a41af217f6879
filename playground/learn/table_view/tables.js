// The tables of the incremental learner, merge by merge; cells that the last merge changed are
// marked, and whatever is pointed at lights up in every table.

import { element, mounted } from "../../browser/elements.js"
import { Picture } from "../../browser/picture.js"
import { fill } from "../../browser/words.js"

class TableView extends Picture {
  constructor(parent) {
    super(parent, "tables-view")
    this.said = element("p", "said-now")
    this.places = this.pane("places")
    this.positions = this.pane("positions")
    this.counts = this.pane("counts")
    this.heap = this.pane("heap")
    const three = element("div", "three")
    three.append(this.positions.node, this.counts.node, this.heap.node)
    this.root.append(this.transport.node, this.said, this.places.node, three, this.cards.node)
  }

  pane(part) {
    const node = element("section", "pane")
    node.dataset.part = part
    const title = element("h4")
    const body = element("div", `body ${part}`)
    node.append(title, body)
    return { node, title, body }
  }

  update(data) {
    const fresh = data.version !== this.version
    this.version = data.version
    this.data = data
    if (fresh) this.transport.reset(data.steps.length - 1, 0)
    this.transport.name(data.labels.transport)
    for (const name of ["places", "positions", "counts", "heap"]) {
      this[name].title.textContent = data.labels[name]
    }
    this.cards.draw(data.cards, data.labels.transport)
    this.show(this.transport.step)
    this.focus(data.cards[this.cards.at])
  }

  show(step) {
    const { labels } = this.data
    const state = this.data.steps[step]
    const { spelling, changes } = state
    const name = (symbol) => (symbol === null ? "∅" : spelling[symbol])
    const changed = (list, ...key) => list.some((one) => String(one) === String(key))
    this.said.textContent = state.merge
      ? fill(labels.merged, {
        left: name(state.merge[0]),
        right: name(state.merge[1]),
        new: name(state.merge[2]),
        id: state.merge[2],
      })
      : labels.start
    const cell = (text, className, pair) => {
      const node = element("span", className, text)
      if (pair) node.key = String(pair)
      return node
    }
    this.places.body.replaceChildren(
      ...state.places.map(([symbol, previous, next], at) => {
        const place = element("span", `place-cell ${symbol === null ? "dead" : ""}`)
        place.place = at
        const link = (to, field) =>
          cell(
            to === null ? "–" : String(to),
            `link ${changes[field].includes(at) ? "changed" : ""}`,
          )
        place.append(
          cell(String(at), "index"),
          cell(name(symbol), `symbol ${changes.symbols.includes(at) ? "changed" : ""}`),
          link(previous, "previous"),
          link(next, "next"),
        )
        return place
      }),
    )
    const line = (left, right, value, marked, stale = false) => {
      const row = element("span", `line-of ${stale ? "stale" : ""}`)
      row.key = String([left, right])
      row.append(
        cell(`${name(left)} ${name(right)}`, "pair-name"),
        cell(value, `value ${marked ? "changed" : ""}`),
      )
      return row
    }
    this.positions.body.replaceChildren(
      ...state.positions.map(([left, right, places]) =>
        line(left, right, places.join(" "), changed(changes.positions, left, right))
      ),
    )
    this.counts.body.replaceChildren(
      ...state.counts.map(([left, right, count]) => {
        const row = line(
          left,
          right,
          String(count),
          changed(changes.counts, left, right),
          count === 0,
        )
        row.places = state.positions.find(([one, other]) => one === left && other === right)?.[2]
        return row
      }),
    )
    this.heap.body.replaceChildren(
      ...state.heap.map(([left, right, count, stale]) =>
        line(
          left,
          right,
          String(count) + (stale ? ` ${labels.stale}` : ""),
          changed(changes.pushed, left, right, count),
          stale,
        )
      ),
    )
    this.light(null)
  }

  /** A pair lights up its places and its lines; a place, the pairs that list it. */
  light(event) {
    const path = event?.composedPath() ?? []
    const key = path.find((node) => node.key)?.key
    const place = path.find((node) => node.place !== undefined)?.place
    const { positions } = this.data.steps[this.transport.step]
    const lit = positions.filter(([left, right, places]) =>
      key ? String([left, right]) === key : places.includes(place)
    )
    const keys = new Set(lit.map(([left, right]) => String([left, right])))
    if (key) keys.add(key)
    const places = key ? lit.flatMap(([, , found]) => found) : [place]
    for (const row of this.root.querySelectorAll(".line-of")) {
      row.classList.toggle("lit-row", keys.has(row.key))
    }
    for (const cell of this.root.querySelectorAll(".place-cell")) {
      cell.classList.toggle("lit-row", places.includes(cell.place))
    }
  }
}

export default mounted(TableView)
