// The explorer: a trained tokenizer whose vocabulary size is a slider. Dragging it cuts the text
// again, moves the cursor of every curve and renews every list, and asks nothing of the server.

import { button, element, mounted } from "../../browser/elements.js"
import { drawParts } from "../../browser/glyphs.js"
import { Inspector } from "../../browser/inspector.js"
import { Row } from "../../browser/row.js"
import { MOST_CHARACTERS, Speech } from "../../browser/speech.js"
import { fill } from "../../browser/words.js"
import { Bars, Chart } from "./charts.js"
import {
  HANZI,
  HANZIS,
  LENGTHS,
  Model,
  PART,
  REST,
  scaled,
  SCRIPTS,
  Text,
  unscaled,
  written,
} from "./model.js"

const TYPING_DELAY = 250 // ms: Python cuts a typed text into pre-tokens when the typing pauses
const PLAY_SECONDS = 6
const LISTED = 12
const NARROW = 640 // pixels: on a phone the settings come before the curves
const FEW_TOKENS = 250 // drawn while the slider moves; the rest follows when it rests,
const REST_DELAY = 150 // ms after it moved last
const LIST_DELAY = 120 // ms between two drawings of the lists while it moves
const UNBROKEN = 20 // characters: a longer token may break across lines

const formatted = new Intl.NumberFormat("en")
const number = (value) => formatted.format(value) // toLocaleString takes ten times as long

class Explorer {
  constructor(parent) {
    this.root = element("div", "view explorer with-glyphs")
    parent.append(this.root)
    const go = (done) => this.go(done)

    this.play = button("", () => this.toggle())
    this.play.className = "play"
    this.slider = element("input")
    this.slider.type = "range"
    this.slider.min = 0
    this.slider.step = "any"
    this.slider.max = 1
    this.slider.addEventListener(
      "input",
      () => this.go(unscaled(Number(this.slider.value), this.model.last)),
    )
    this.slider.addEventListener("keydown", (event) => this.press(event))
    this.place = element("output", "place")
    const run = element("div", "run")
    run.append(this.play, this.slider, this.place)

    this.own = element("textarea", "own")
    this.own.rows = 2
    this.own.addEventListener("input", () => {
      clearTimeout(this.timer)
      this.timer = setTimeout(() => this.setStateValue("text", this.own.value), TYPING_DELAY)
    })
    this.facts = element("p", "note")
    this.text = element("div", "text")
    this.text.setAttribute("role", "listbox")
    this.status = element("p", "status quiet")
    this.inspector = new Inspector((token) => this.pin(token), () => this.pin(null))
    for (
      const [event, act] of [
        ["pointerover", (token) => token && this.say(this.speech.line(token))],
        ["click", (token) => token && this.pin(token === this.pinned ? null : token)],
      ]
    ) {
      this.text.addEventListener(event, (heard) => act(this.tokenAt(heard)))
    }
    this.text.addEventListener("pointerleave", () => this.say(this.words.hint))
    this.text.addEventListener("focusin", (event) => {
      const token = this.tokenAt(event)
      if (token) event.target.setAttribute("aria-label", this.speech.line(token))
    })
    this.text.addEventListener("keydown", (event) => this.walk(event))

    this.compression = new Chart(go)
    this.kinds = new Chart(go, { stacked: true, most: 1, percent: true })
    this.counts = new Chart(go, { logarithmic: true })
    const charts = element("div", "charts")
    charts.append(this.compression.node, this.kinds.node, this.counts.node)
    this.firsts = element("p", "firsts")

    this.scripts = new Bars()
    this.lengths = new Bars()
    this.lists = element("div", "lists")
    this.root.append(run, this.own, this.facts, this.text, this.status, this.inspector.node)
    this.more = element("details", "more")
    this.more.open = globalThis.innerWidth > NARROW
    this.more.addEventListener("toggle", () => this.model && this.more.open && this.drawCharts())
    this.moreTitle = element("summary")
    this.more.append(this.moreTitle, charts, this.firsts, this.lists)
    this.root.append(this.more)
    this.resized = new ResizeObserver(() => this.model && this.drawCharts())
    this.resized.observe(charts)
    this.charts = charts
  }

  destroy() {
    this.stop()
    clearTimeout(this.timer)
    clearTimeout(this.resting)
    cancelAnimationFrame(this.frame)
    this.resized.disconnect()
    this.root.remove()
  }

  update(data) {
    this.data = data
    this.labels = data.labels
    this.words = data.words
    this.speech = new Speech(data.words)
    if (data.version !== this.version) {
      this.version = data.version
      this.model = new Model(data.model)
      this.stop()
      this.done = this.model.last
      this.listed = 0
      this.pieces = null
      this.pinned = null
    }
    const pieces = JSON.stringify(data.pieces)
    if (pieces !== this.pieces) {
      this.pieces = pieces
      this.cut = new Text(this.model, data.pieces)
      this.drawn = new Map()
      this.text.replaceChildren()
    }
    if (this.given !== data.text && this.root.getRootNode().activeElement !== this.own) {
      this.own.value = data.text
    }
    this.given = data.text
    this.own.setAttribute("aria-label", this.labels.own)
    this.own.placeholder = this.labels.own
    this.slider.setAttribute("aria-label", this.labels.slider)
    this.moreTitle.textContent = this.labels.more
    this.text.setAttribute("aria-label", this.words.tokens)
    this.root.style.setProperty("--height", `${data.height}px`)
    this.say(this.words.hint)
    this.name()
    this.drawCharts()
  }

  // How many merges are made

  go(done, byClock = false) {
    if (!byClock) this.stop()
    this.done = Math.min(Math.max(done, 0), this.model.last)
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null
      this.show(true)
    })
  }

  press(event) {
    const to = {
      ArrowLeft: this.done - 1,
      ArrowDown: this.done - 1,
      ArrowRight: this.done + 1,
      ArrowUp: this.done + 1,
      PageDown: this.done - Math.ceil(this.model.last / 20),
      PageUp: this.done + Math.ceil(this.model.last / 20),
      Home: 0,
      End: this.model.last,
    }[event.key]
    if (to === undefined) return
    event.preventDefault()
    this.go(to)
  }

  toggle() {
    if (this.clock) return this.stop()
    const { last } = this.model
    const from = this.done >= last ? 0 : scaled(this.done, last)
    const started = performance.now()
    const tick = (now) => {
      const place = from + (now - started) / (PLAY_SECONDS * 1000)
      if (place >= 1) return this.go(last)
      this.clock = requestAnimationFrame(tick)
      const done = unscaled(Math.max(place, from), last)
      if (done !== this.done) this.go(done, true)
    }
    this.clock = requestAnimationFrame(tick)
    this.name()
  }

  stop() {
    if (!this.clock) return
    cancelAnimationFrame(this.clock)
    this.clock = null
    this.name()
  }

  name() {
    this.play.textContent = this.clock ? "❚❚" : "▶\ufe0e"
    this.play.setAttribute("aria-label", this.clock ? this.labels.pause : this.labels.play)
    this.play.title = this.clock ? this.labels.pause : this.labels.play
    this.play.disabled = !this.model?.last
    this.slider.disabled = !this.model?.last
  }

  // What is shown of them

  /** Draw the place where the slider is; `moving` leaves what takes long for when it rests. */
  show(moving = false) {
    const { model, done, labels } = this
    const now = model.at(done)
    this.slider.value = scaled(done, model.last)
    const place = fill(labels.place, { size: number(model.size(done)), merges: number(done) })
    this.place.textContent = place
    this.slider.setAttribute("aria-valuetext", place)
    this.drawText(now, moving)
    this.showCurves(now)
    clearTimeout(this.resting)
    if (!moving) return this.showLists(now)
    if (performance.now() - this.listed > LIST_DELAY) this.showLists(now)
    this.resting = setTimeout(() => this.show(), REST_DELAY)
  }

  drawText(now, moving) {
    const { model, done } = this
    const start = this.pinned?.start
    const row = this.cut.row(done)
    this.row = row
    this.facts.textContent = [
      fill(this.words.count, { total: number(row.total) }),
      row.total
        ? fill(this.labels.perToken, { value: (this.data.size / row.total).toFixed(2) })
        : "",
      this.data.shortened,
      this.data.note,
    ].filter(Boolean).join(" · ")
    const fresh = done ? model.made[done - 1] : null
    const few = moving && !this.text.scrollTop
    const drawn = new Map()
    let at = this.text.firstChild
    for (const token of few ? row.tokens.slice(0, FEW_TOKENS) : row.tokens) {
      const special = row.special.has(token.i)
      const unknown = !special && this.isUnknown(token.id, now)
      const look = `token ${token.hue}${unknown ? " unknown" : ""}${
        token.id === fresh ? " fresh" : ""
      }`
      const key = `${token.start}-${token.end}${special ? "s" : ""}`
      const node = this.drawn.get(key) ?? this.draw(token, special)
      if (node.look !== look) node.className = node.look = look
      node.token = token
      token.node = node
      drawn.set(key, node)
      if (node === at) at = at.nextSibling
      else this.text.insertBefore(node, at)
    }
    while (at) {
      const next = at.nextSibling
      at.remove()
      at = next
    }
    this.drawn = drawn
    if (this.text.firstChild) this.text.firstChild.tabIndex = 0
    if (start === undefined) return this.pin(null, false)
    this.pin(row.tokens.find((token) => token.start === start && token.node) ?? null, false)
  }

  draw(token, special) {
    const { parts } = token
    const node = element("span")
    node.setAttribute("role", "option")
    node.tabIndex = -1
    if (special) node.dataset.kind = "special"
    drawParts(node, parts)
    if (parts.length <= UNBROKEN) node.style.whiteSpace = "pre"
    return node
  }

  /** Whether a symbol of characters has no entry in the vocabulary. */
  isUnknown(id, now) {
    return !this.model.bytes && (id >= this.model.kind.length || now.gone.has(id))
  }

  tokenAt(event) {
    return event.target.closest?.(".token")?.token ?? null
  }

  walk(event) {
    const token = this.tokenAt(event)
    if (!token) return
    const to = {
      ArrowLeft: token.index - 1,
      ArrowRight: token.index + 1,
      Home: 0,
      End: token.row.total - 1,
    }[event.key]
    if (event.key === "Enter" || event.key === " ") this.pin(token)
    else if (to !== undefined && token.row.tokens[to]) {
      token.node.tabIndex = -1
      token.row.tokens[to].node.tabIndex = 0
      token.row.tokens[to].node.focus()
      this.say(this.speech.line(token.row.tokens[to]))
    } else return
    event.preventDefault()
  }

  say(text) {
    this.status.textContent = text
  }

  pin(token, focus = true) {
    this.pinned?.node?.removeAttribute("aria-selected")
    this.pinned = token
    token?.node.setAttribute("aria-selected", "true")
    this.inspector.draw(token, this.speech, token && this.madeOf(token))
    if (token && !this.model.bytes) {
      const id = token.row.special.has(token.i) ? token.id : this.model.ids[token.id]
      this.inspector.node.querySelector("dd").textContent = id ?? "–"
    }
    if (token && focus) token.node.scrollIntoView({ block: "nearest" })
  }

  madeOf(token) {
    const { model } = this
    if (token.row.special.has(token.i) || token.id >= model.kind.length) return null
    const rank = model.by.get(token.id)
    if (rank === undefined) return { rank: null, parts: [], count: null }
    const part = (id) => ({
      id: model.bytes ? id : null,
      sizes: [model.spelled[id].length],
      ...written([model.spelled[id]]),
    })
    return {
      rank: rank + 1,
      parts: [part(model.left[rank]), part(model.right[rank])],
      count: model.count[rank],
    }
  }

  drawCharts() {
    const { model, labels } = this
    const width = Math.max(this.charts.firstChild.clientWidth, 160)
    const { curves, steps, last } = model
    this.compression.draw(steps, last, [
      { name: labels.zh, values: curves.zh, className: "zh" },
      { name: labels.other, values: curves.other, className: "other" },
    ], width)
    this.kinds.draw(
      steps,
      last,
      [PART, HANZI, HANZIS, REST].map((kind) => ({
        name: labels.kind[kind],
        values: curves.shares.map((share) => share[kind]),
        className: `kind${kind}`,
      })),
      width,
    )
    this.counts.draw(steps, last, [{
      name: labels.times,
      values: curves.count,
      className: "count",
    }], width)
    this.compression.offer(labels.compression, labels)
    this.kinds.offer(labels.kinds, labels)
    this.counts.offer(labels.counts, labels)
    this.show()
  }

  showCurves(now) {
    const { labels, done, model } = this
    const ratio = (value) => (value === null ? "–" : value.toFixed(2))
    const named = (name, className, value) => {
      const said = element("span", "key")
      said.append(element("span", `swatch ${className}`), `${name} ${value}`)
      return said
    }
    const percent = (share) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`
    this.compression.show(
      done,
      element("strong", null, labels.compression),
      named(labels.zh, "zh", ratio(now.zh)),
      named(labels.other, "other", ratio(now.other)),
    )
    this.kinds.show(
      done,
      element("strong", null, labels.kinds),
      ...[PART, HANZI, HANZIS, REST].map((kind) =>
        named(labels.kind[kind], `kind${kind}`, percent(now.shares[kind]))
      ),
    )
    this.counts.show(
      done,
      element("strong", null, labels.counts),
      named("", "count", number(now.count)),
    )
    const firsts = model.firsts.flatMap((rank, kind) => {
      if (rank === null) return []
      const go = button("", () => this.go(rank + 1))
      go.className = "link"
      go.append(
        fill(labels.first[kind], { merge: number(rank + 1) }),
        " ",
        this.chip(model.made[rank]),
      )
      return [go]
    })
    this.firsts.replaceChildren(...firsts)
  }

  showLists(now) {
    const { model, labels, done } = this
    this.listed = performance.now()
    this.scripts.draw(
      SCRIPTS.map((name, n) => [labels.scripts[name], now.scripts[n]]).filter(([, n]) => n),
    )
    this.lengths.draw(
      now.lengths.map((
        n,
        at,
      ) => [
        fill(labels.lengths[at ? 1 : 0], {
          n: at + 1 === LENGTHS ? `${LENGTHS}+` : String(at + 1),
        }),
        n,
      ]),
    )
    const merges = []
    for (let rank = Math.max(0, done - LISTED); rank < done; rank++) merges.push(rank)
    const learned = (id) => model.by.has(id)
    const byLength = now.ids.filter(learned).sort((a, b) =>
      model.length[b] - model.length[a] || a - b
    )
    const residue = now.ids.filter((id) => learned(id) && now.occurs[id] <= 0)
    const rare = now.ids.filter((id) => learned(id) && now.occurs[id] > 0 && now.occurs[id] <= 2)
    const never = model.bytes ? now.ids.filter((id) => id < 256 && !model.base[id]) : []
    this.lists.replaceChildren(
      this.list(labels.lastMerges, merges.reverse().map((rank) => this.mergeLine(rank))),
      this.list(labels.byScript, [this.scripts.node]),
      this.list(labels.byLength, [this.lengths.node]),
      this.list(
        labels.longest,
        byLength.slice(0, LISTED).map((id) => this.chip(id, now.occurs[id])),
      ),
      this.list(
        fill(labels.residue, {
          n: number(residue.length),
          share: percentOf(residue.length, now.ids.length),
        }),
        residue.slice(0, LISTED).map((id) => this.chip(id)),
        labels.residueHint,
      ),
      this.list(
        fill(labels.rare, { n: number(rare.length) }),
        rare.slice(0, LISTED).map((id) => this.chip(id, now.occurs[id])),
      ),
      ...(never.length
        ? [
          this.list(
            fill(labels.never, { n: never.length }),
            never.slice(0, LISTED).map((id) => this.chip(id)),
          ),
        ]
        : []),
    )
  }

  list(title, rows, hint) {
    const box = element("section", "list")
    box.append(element("h4", null, title))
    if (hint) box.append(element("p", "note", hint))
    const body = element("div", rows[0]?.className === "merge-line" ? "lines" : "chips")
    body.append(...(rows.length ? rows : [element("span", "quiet", "–")]))
    box.append(body)
    return box
  }

  mergeLine(rank) {
    const { model } = this
    const line = button("", () => this.go(rank + 1))
    line.className = "merge-line"
    line.append(
      element("span", "quiet", number(rank + 1)),
      this.chip(model.left[rank]),
      "+",
      this.chip(model.right[rank]),
      "→",
      this.chip(model.made[rank]),
      element("span", "amount quiet", `×${number(model.count[rank])}`),
    )
    return line
  }

  /** A symbol as a chip, with how often it occurs. */
  chip(id, occurs) {
    const bytes = this.model.spelled[id]
    const row = new Row({
      name: "",
      total: 1,
      counts: null,
      ids: [id],
      ...written([bytes]),
      sizes: [bytes.length],
      first: 0,
      lead: 0,
      count: 1,
      special: [],
    })
    const chip = element("span", "piece")
    drawParts(chip, row.tokens[0].parts.slice(0, MOST_CHARACTERS), true)
    if (occurs !== undefined) chip.append(element("span", "small quiet", `×${number(occurs)}`))
    return chip
  }
}

const percentOf = (part, whole) => `${whole ? ((part / whole) * 100).toFixed(1) : 0}%`

export default mounted(Explorer)
