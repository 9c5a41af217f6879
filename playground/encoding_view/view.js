// One pre-token on its way to tokens: neighbours with their ranks, the lowest merged, and the tree
// that grows of it over the bytes.

import { HUES } from "../browser/row.js"
import { element, mounted } from "../browser/elements.js"
import { glyphOf } from "../browser/glyphs.js"
import { Picture } from "../browser/picture.js"
import { characterAt, hex, spell } from "../browser/utf8.js"
import { fill } from "../browser/words.js"

class Replay extends Picture {
  constructor(parent) {
    super(parent, "replay")
    this.row = element("div", "row-of-symbols")
    this.row.dataset.part = "row"
    this.said = element("p", "said-now")
    this.said.setAttribute("aria-live", "polite")
    this.tree = element("div", "tree")
    this.tree.dataset.part = "tree"
    this.others = element("div", "others")
    this.others.dataset.part = "others"
    this.root.append(
      this.transport.node,
      this.row,
      this.said,
      this.tree,
      this.others,
      this.cards.node,
    )
  }

  update(data) {
    const fresh = data.version !== this.version
    this.version = data.version
    this.data = data
    this.bytes = Uint8Array.from(atob(data.bytes), (sign) => sign.charCodeAt(0))
    this.characters = []
    for (let at = 0; at < this.bytes.length;) {
      const [size, valid] = characterAt(this.bytes, at)
      this.characters.push({ start: at, size, text: valid ? spell(this.bytes, at, size) : null })
      at += size
    }
    this.plant()
    if (fresh) this.transport.reset(data.steps.length - 1, 0)
    this.transport.name(data.labels.transport)
    this.cards.draw(data.cards, data.labels.transport)
    this.drawOthers()
    this.show(this.transport.step)
    this.focus(data.cards[this.cards.at])
  }

  /** Which nodes the tree has, with the step that makes each and how high it stands. */
  plant() {
    const heights = new Map()
    this.nodes = []
    const starts = (sizes) => sizes.reduce((all, size) => [...all, all.at(-1) + size], [0])
    const first = starts(this.data.steps[0].sizes)
    this.data.steps[0].sizes.forEach((size, at) => {
      this.nodes.push({ start: first[at], end: first[at] + size, step: 0, height: 0, rank: null })
      heights.set(`${first[at]}-${first[at] + size}`, 0)
    })
    this.data.steps.forEach(({ sizes, place, rank }, step) => {
      if (place === null) return
      const at = starts(sizes)
      const [start, middle, end] = [at[place], at[place + 1], at[place + 2]]
      const height = 1 +
        Math.max(heights.get(`${start}-${middle}`), heights.get(`${middle}-${end}`))
      heights.set(`${start}-${end}`, height)
      this.nodes.push({ start, end, step: step + 1, height, rank })
    })
    this.high = Math.max(0, ...this.nodes.map((node) => node.height))
  }

  chip(start, end, className = "base") {
    const chip = element("span", `chip ${className}`)
    chip.span = [start, end]
    for (const unit of this.characters) {
      if (unit.start + unit.size <= start || unit.start >= end) continue
      const first = Math.max(start, unit.start)
      const last = Math.min(end, unit.start + unit.size)
      if (unit.text !== null && last - first === unit.size) chip.append(glyphOf(unit.text))
      else {
        const part = element("span", "part")
        const ghost = element("span", "ghost", unit.text === null ? "" : glyphOf(unit.text))
        part.append(element("span", "hex", hex(this.bytes.subarray(first, last))), ghost)
        chip.append(part)
      }
    }
    return chip
  }

  show(step) {
    const { steps, labels } = this.data
    const { sizes, ranks, place, rank } = steps[step]
    const nodes = []
    let at = 0
    sizes.forEach((size, index) => {
      const made = this.nodes.find((node) => node.start === at && node.end === at + size)
      const chip = this.chip(at, at + size, made.step ? `hue${made.step % HUES}` : "base")
      if (made.step && made.step === step) chip.classList.add("fresh")
      nodes.push(chip)
      at += size
      if (index === sizes.length - 1) return
      const known = ranks[index] !== null
      const pill = element("span", "rank", known ? ranks[index].toLocaleString("en") : "–")
      if (index === place) pill.classList.add("lowest")
      else if (!known) pill.classList.add("none")
      nodes.push(pill)
    })
    this.row.replaceChildren(...nodes)
    this.said.textContent = place === null
      ? fill(labels.done, { count: sizes.length })
      : fill(labels.lowest, { rank })
    this.drawTree(step)
    this.light(null)
  }

  drawTree(step) {
    this.tree.style.gridTemplateColumns = `repeat(${this.bytes.length}, minmax(1.6rem, auto))`
    const boxes = this.nodes
      .filter((node) => node.step <= step)
      .map((node) => {
        const box = this.chip(node.start, node.end, node.step ? `hue${node.step % HUES}` : "base")
        box.style.gridColumn = `${node.start + 1} / ${node.end + 1}`
        box.style.gridRow = this.high - node.height + 1
        if (node.rank !== null) box.append(element("small", "", node.rank.toLocaleString("en")))
        if (node.step && node.step === step) box.classList.add("fresh")
        return box
      })
    this.tree.replaceChildren(...boxes)
  }

  drawOthers() {
    const rows = this.data.others.map(({ name, sizes, said }) => {
      const row = element("div", "other")
      const chips = element("span", "chips")
      let at = 0
      sizes.forEach((size, index) => {
        chips.append(this.chip(at, at + size, `hue${index % HUES}`))
        at += size
      })
      row.append(element("span", "name", name), chips, element("span", "quiet", said))
      return row
    })
    this.others.replaceChildren(...rows)
    this.others.hidden = !rows.length
  }

  light(event) {
    const lit = (event?.composedPath() ?? []).find((node) => node.span)?.span
    for (const chip of this.root.querySelectorAll(".chip")) {
      const over = lit && chip.span && chip.span[0] < lit[1] && chip.span[1] > lit[0]
      chip.classList.toggle("lit", Boolean(over))
    }
  }
}

export default mounted(Replay)
