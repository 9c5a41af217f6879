// Watch merges: the words as chips, the pairs as bars, the vocabulary, and a slider through them.
// Every step is worked out here; Python is told of bets only.

import { symbolChip, wordChip } from "../browser/chips.js"
import { arrange, button, element, mounted } from "../browser/elements.js"
import { Picture } from "../browser/picture.js"
import { pairKey, Training } from "../browser/training.js"
import { encode, hex } from "../browser/utf8.js"
import { fill, sentence } from "../browser/words.js"

const FEW_WORDS = 150 // up to here all words are shown
const SHOWN_CHANGED = 12 // beyond, those that the merge changes,
const SHOWN_FREQUENT = 24 // and the most frequent
const SHOWN_SYMBOLS = 160 // of the words that a merge changes
const SHOWN_VOCABULARY = 48
const SHOWN_ALPHABET = 160

class MergeView extends Picture {
  constructor(parent) {
    super(parent, "merges")
    this.rule = element("div", "rule")
    this.rule.dataset.part = "rule"
    this.rule.setAttribute("aria-live", "polite")
    this.words = new WordsPane()
    this.pairs = new PairsPane()
    this.vocabulary = new VocabularyPane((number) => this.transport.go(number + 1))
    this.bets = new Bets(
      (score) => this.setStateValue("score", score),
      () => this.transport.go(this.step + 1),
    )
    this.status = element("p", "status quiet")
    const panes = element("div", "panes")
    const side = element("div", "side")
    side.append(this.bets.node, this.pairs.node, this.vocabulary.node)
    panes.append(this.words.node, side)
    this.root.append(this.transport.node, this.rule, panes, this.status, this.cards.node)
    this.root.addEventListener("refresh", () => this.show(this.step))
    this.host = parent.host ?? parent // where a link finds the place of the slider
    this.step = 0
  }

  update(data) {
    const fresh = data.version !== this.version
    const language = JSON.stringify(data.labels)
    if (fresh) {
      this.version = data.version
      this.training = new Training(data)
      this.step = Math.min(data.step, this.training.last)
      this.transport.reset(this.training.last, this.step)
      this.words.reset(this.training)
      this.pairs.reset(this.training)
      this.vocabulary.reset(this.training)
      this.bets.reset(this.training)
    }
    this.data = data
    this.labels = data.labels
    this.root.classList.toggle("of-bytes", this.training.bytes)
    this.root.style.setProperty("--height", `${data.height}px`)
    this.cards.draw(data.cards, data.labels.transport)
    if (fresh || language !== this.language) {
      this.language = language
      this.transport.name(data.labels.transport)
      for (const pane of [this.words, this.pairs, this.vocabulary, this.bets]) {
        pane.name(data.labels)
      }
      this.bets.node.hidden = !data.bets
      this.show(this.step)
    }
    this.focus(data.cards[this.cards.at])
  }

  show(step) {
    const forward = step === this.step + 1
    this.step = step
    Object.assign(this.host.dataset, { stepOf: this.data.name, version: this.version, step })
    this.root.classList.toggle("still", !forward)
    const { training } = this
    const round = training.rounds[step]
    const merged = step > 0 ? training.merges[step - 1] : null
    const next = training.merges[step] ?? null
    const hidden = this.data.bets && this.bets.ask(step)
    this.words.show(step, round, merged, hidden ? null : next, forward)
    this.pairs.show(round, merged, next, hidden)
    this.vocabulary.show(step, round)
    this.say(step, round, merged, hidden ? null : next)
    this.relight()
  }

  /** Say in two lines what was merged and what comes next. */
  say(step, round, merged, next) {
    const { training, labels } = this
    const line = (name, template, merge, values = {}) => {
      const node = element("p", name)
      node.append(
        ...sentence(template, {
          step,
          left: merge && symbolChip(training, merge.left),
          right: merge && symbolChip(training, merge.right),
          new: merge && symbolChip(training, merge.new, "fresh"),
          count: merge?.count,
          ...values,
        }),
      )
      return node
    }
    const removed = element("span", "removed")
    removed.append(...round.removed.map((id) => symbolChip(training, id)))
    const lines = [
      merged
        ? line("done", labels.done, merged)
        : line("done", training.bytes ? labels.startBytes : labels.startCharacters),
    ]
    if (round.removed.length) lines.push(line("gone", labels.removed, null, { removed }))
    if (next && round.ties > 1) {
      lines.push(line("next", labels.nextTied, next, { ties: round.ties }))
    } else if (next) lines.push(line("next", labels.next, next))
    else if (step === training.last) {
      lines.push(line("next", round.pairs.length ? labels.stopped : labels.exhausted))
    }
    this.rule.replaceChildren(...lines)
  }

  // What is under the pointer lights up everywhere

  light(event) {
    const path = event?.composedPath() ?? []
    const chip = path.find((node) => node.symbol !== undefined)
    const row = path.find((node) => node.pair)
    this.lit = row ? { pair: row.pair } : chip ? { symbol: chip.symbol } : null
    this.relight()
  }

  relight() {
    for (const chip of this.root.querySelectorAll(".lit")) chip.classList.remove("lit")
    const { lit, labels, training } = this
    this.transport.mark(null)
    if (!lit) {
      if (this.status.textContent !== labels.hint) this.status.textContent = labels.hint
      return
    }
    if (lit.pair) {
      const { left, right, count } = lit.pair
      for (const chip of this.words.node.querySelectorAll(".chip")) {
        const other = chip.nextElementSibling
        if (chip.symbol === left && other?.symbol === right) {
          chip.classList.add("lit")
          other.classList.add("lit")
        }
      }
      const chips = { left: symbolChip(training, left), right: symbolChip(training, right), count }
      this.status.replaceChildren(...sentence(labels.pairLine, chips))
      return
    }
    for (const chip of this.root.querySelectorAll(".chip")) {
      if (chip.symbol === lit.symbol) chip.classList.add("lit")
    }
    const made = training.madeBy.get(lit.symbol)
    this.transport.mark(made === undefined ? null : made + 1)
    const spelled = training.spelling[lit.symbol]
    const bytes = typeof spelled === "string" ? encode(spelled) : spelled
    const values = { symbol: symbolChip(training, lit.symbol), id: lit.symbol, bytes: hex(bytes) }
    const said = made === undefined
      ? sentence(labels.baseLine, values)
      : sentence(labels.symbolLine, {
        ...values,
        step: made + 1,
        left: symbolChip(training, training.merges[made].left),
        right: symbolChip(training, training.merges[made].right),
      })
    this.status.replaceChildren(...said)
  }
}

/** A titled part of the picture. */
function pane(part) {
  const node = element("section", `pane ${part}`)
  node.dataset.part = part
  const title = element("h4")
  node.append(title)
  return [node, title]
}

class WordsPane {
  constructor() {
    ;[this.node, this.title] = pane("words")
    this.body = element("div", "body")
    this.body.tabIndex = -1
    this.changedTitle = element("p", "quiet small")
    this.frequentTitle = element("p", "quiet small")
    this.node.append(this.body)
  }

  reset(training) {
    this.training = training
    this.rows = new Map() // word -> its element, as drawn last
    const { words } = training
    this.all = words.length <= FEW_WORDS
    const order = words.map((_, index) => index)
    this.frequent = this.all ? order : order
      .filter((index) => words[index].first.length > 1)
      .sort((one, other) => words[other].count - words[one].count)
      .slice(0, SHOWN_FREQUENT)
  }

  name(labels) {
    this.labels = labels
    this.title.textContent = labels.words
    this.frequentTitle.textContent = labels.frequent
  }

  show(step, round, merged, next, animate) {
    const rows = this.frequent.map((index) => this.row(index, step, merged, next, animate))
    if (this.all) {
      arrange(this.body, rows)
    } else {
      const changed = []
      let symbols = 0
      for (const index of round.changed.slice(0, SHOWN_CHANGED)) {
        if (symbols > SHOWN_SYMBOLS) break
        changed.push(this.row(index, step, merged, next, animate, true))
        symbols += changed.at(-1).chips.childNodes.length
      }
      this.changedTitle.textContent = fill(this.labels.changed, { total: round.changedTotal })
      arrange(this.body, [this.changedTitle, ...changed, this.frequentTitle, ...rows])
    }
  }

  /** The element of a word; drawn anew only where its cut or its marks have changed. */
  row(index, step, merged, next, animate, again = false) {
    const word = this.training.words[index]
    const symbols = word.cut(step)
    const marks = marksOf(symbols, merged, next)
    const drawn = symbols.join() + "/" + marks.join()
    const key = again ? -1 - index : index
    let row = this.rows.get(key)
    if (!row) {
      row = element("div", "word")
      row.chips = element("span", "chips")
      row.append(row.chips)
      if (word.count > 1) {
        row.append(element("span", "times", `×${word.count.toLocaleString("en")}`))
      }
      this.rows.set(key, row)
    }
    if (row.drawn === drawn) return row
    row.drawn = drawn
    let at = 0
    const { bytes, spelling, end } = this.training
    row.chips.replaceChildren(
      ...symbols.map((symbol, i) => {
        const spelled = spelling[symbol]
        const size = bytes ? spelled.length : spelled === end ? 1 : spelled.length
        const chip = wordChip(word, symbol, at, at + size)
        at += size
        if (marks[i]) chip.classList.add(...marks[i].split(" "))
        if (animate && marks[i].includes("fresh")) chip.classList.add("joining")
        return chip
      }),
      ...(word.long ? [element("span", "quiet", "…")] : []),
    )
    return row
  }
}

/** For each symbol: just made, or to be merged next with its neighbour. */
function marksOf(symbols, merged, next) {
  const marks = symbols.map((symbol) => (merged && symbol === merged.new ? "fresh" : ""))
  for (let at = 0; next && at + 1 < symbols.length; at++) {
    if (symbols[at] !== next.left || symbols[at + 1] !== next.right) continue
    marks[at] = `${marks[at]} next-left`.trim()
    marks[at + 1] = `${marks[at + 1]} next-right`.trim()
    at++
  }
  return marks
}

class PairsPane {
  constructor() {
    ;[this.node, this.title] = pane("pairs")
    this.body = element("div", "bars")
    this.node.append(this.body)
  }

  /** Make room for the longest list there will be, so that nothing below it moves. */
  reset(training) {
    this.training = training
    this.rows = new Map() // key of a pair -> its row
    const most = Math.max(
      ...training.rounds.map((round, step) => round.pairs.length + (step ? 1 : 0)),
    )
    this.body.style.setProperty("--rows", most)
  }

  name(labels) {
    this.labels = labels
    this.title.textContent = labels.pairs
  }

  show(round, merged, next, hidden) {
    this.node.hidden = hidden
    if (hidden) return
    const most = Math.max(1, merged?.count ?? 0, ...round.pairs.map((pair) => pair.count))
    const rows = new Map()
    const add = (pair, className) => {
      const key = pairKey(pair.left, pair.right)
      const row = this.rows.get(key) ?? new PairRow(this.training, pair)
      row.draw(pair, most, className)
      rows.set(key, row)
    }
    if (merged) add({ ...merged, count: 0, before: merged.count }, "gone")
    round.pairs.forEach((pair, at) => {
      const tied = round.ties > 1 && pair.count === round.pairs[0].count
      add(pair, next && at === 0 ? "winner" : tied ? "tied" : "")
    })
    this.rows = rows
    arrange(this.body, [...rows.values()].map((row) => row.node))
  }
}

/** A pair with its count as a bar, and the count before the last merge. */
class PairRow {
  constructor(training, { left, right }) {
    const name = element("span", "pair")
    name.append(symbolChip(training, left), symbolChip(training, right))
    this.bar = element("span", "fill")
    this.before = element("span", "before")
    const track = element("span", "track")
    track.append(this.bar, this.before)
    this.earlier = element("span", "quiet")
    this.count = element("span")
    const number = element("span", "number")
    number.append(this.earlier, this.count)
    this.node = element("div")
    this.node.append(name, track, number)
  }

  draw(pair, most, className) {
    const { count, before } = pair
    this.node.pair = pair
    this.node.className = `bar-row ${className}`
    this.bar.style.transform = `scaleX(${count / most})`
    const changed = Boolean(before) && before !== count
    this.before.hidden = !changed
    if (changed) this.before.style.transform = `scaleX(${before / most})`
    const text = changed ? `${before.toLocaleString("en")} → ` : ""
    if (this.earlier.textContent !== text) this.earlier.textContent = text
    const now = count.toLocaleString("en")
    if (this.count.textContent !== now) this.count.textContent = now
  }
}

class VocabularyPane {
  constructor(go) {
    this.go = go
    ;[this.node, this.title] = pane("vocabulary")
    this.body = element("div", "entries")
    this.node.append(this.body)
  }

  reset(training) {
    this.training = training
    this.gone = new Map() // symbol -> the step that removed it last
    training.rounds.forEach((round, step) => {
      for (const id of round.removed) this.gone.set(id, step)
    })
    this.learned = new Map() // number of a merge -> the chip of what it made
    this.alphabet = []
    const shown = training.bytes ? 0 : Math.min(training.base, SHOWN_ALPHABET)
    for (let id = 0; id < shown; id++) this.alphabet.push(symbolChip(training, id))
    this.hidden = training.bytes ? 0 : training.base - shown
    this.specials = training.specials.map((special) => element("span", "chip special", special))
    this.bytes = element("span", "chip base")
    this.earlier = element("span", "quiet")
    this.node.classList.toggle("long", training.last > SHOWN_VOCABULARY)
  }

  name(labels) {
    this.labels = labels
  }

  show(step, round) {
    const { training, labels } = this
    this.title.replaceChildren(
      ...sentence(labels.vocabulary, { size: round.size, tokens: round.tokens }),
    )
    const from = Math.max(0, step - SHOWN_VOCABULARY)
    const left = from + this.hidden
    this.bytes.textContent = labels.bytes
    this.earlier.textContent = fill(labels.earlier, { n: left })
    for (const chip of this.alphabet) this.mark(chip, step)
    const learned = new Map()
    for (let number = from; number < step; number++) {
      const chip = this.learned.get(number) ?? this.entry(number)
      this.mark(chip, step)
      chip.classList.toggle("fresh", number === step - 1)
      learned.set(number, chip)
    }
    this.learned = learned
    const first = training.bytes ? [this.bytes] : this.alphabet
    arrange(this.body, [
      ...first,
      ...this.specials,
      ...(left ? [this.earlier] : []),
      ...learned.values(),
    ])
  }

  entry(number) {
    const chip = symbolChip(this.training, this.training.merges[number].new, "learned")
    chip.tabIndex = -1
    chip.onclick = () => this.go(number)
    return chip
  }

  mark(chip, step) {
    chip.classList.toggle("left-out", this.gone.get(chip.symbol) <= step)
  }
}

/** Which pair is next? Up to three to choose from, before the counts are shown. */
class Bets {
  constructor(tell, go) {
    this.tell = tell
    this.go = go
    this.node = element("section", "pane bets")
    this.node.dataset.part = "bets"
  }

  reset(training) {
    this.training = training
    this.on = false
    this.placed = new Map() // step -> whether the bet was right
  }

  name(labels) {
    this.labels = labels.bets
  }

  /** Draw the bet of a round; return whether its counts are to stay hidden. */
  ask(step) {
    const next = this.training.merges[step]
    const choices = next ? this.choices(step) : []
    const asking = this.on && choices.length > 1 && !this.placed.has(step)
    const toggle = button(this.on ? this.labels.off : this.labels.on, () => {
      this.on = !this.on
      this.refresh()
    })
    toggle.className = "toggle"
    toggle.setAttribute("aria-pressed", String(this.on))
    const right = [...this.placed.values()].filter(Boolean).length
    const head = element("div", "bet-head")
    head.append(toggle)
    if (this.placed.size) {
      head.append(
        element("span", "quiet", fill(this.labels.score, { right, asked: this.placed.size })),
      )
    }
    const drawn = [head]
    if (asking) {
      drawn.push(element("p", "question", this.labels.question), this.draw(step, choices, next))
    } else if (this.on && this.placed.has(step)) {
      const said = this.placed.get(step) ? this.labels.right : this.labels.wrong
      const sign = this.placed.get(step) ? "✓ " : "✗ "
      const answer = element("p", "answer")
      answer.append(
        sign,
        ...sentence(said, {
          left: symbolChip(this.training, next.left),
          right: symbolChip(this.training, next.right),
          count: next.count,
        }),
      )
      drawn.push(answer, this.mergeIt())
    } else if (this.on && next) {
      const { ties } = this.training.rounds[step]
      if (ties > 1) drawn.push(element("p", "question", fill(this.labels.tied, { ties })))
      drawn.push(this.mergeIt())
    }
    this.node.replaceChildren(...drawn)
    return asking
  }

  mergeIt() {
    const on = button(this.labels.merge, this.go)
    on.className = "merge-it"
    return on
  }

  draw(step, choices, next) {
    const all = element("div", "choices")
    for (const pair of choices) {
      const choice = button("", () => {
        this.placed.set(step, pair.left === next.left && pair.right === next.right)
        const right = [...this.placed.values()].filter(Boolean).length
        this.tell({ right, asked: this.placed.size })
        this.refresh()
        this.node.querySelector(".merge-it")?.focus({ preventScroll: true })
      })
      choice.className = "choice"
      choice.append(symbolChip(this.training, pair.left), symbolChip(this.training, pair.right))
      all.append(choice)
    }
    return all
  }

  /** The pair to be merged and two that are less frequent, in an order that tells nothing.
   *  Pairs that are as frequent are no choice: between them a rule decides, and no count. */
  choices(step) {
    const { pairs } = this.training.rounds[step]
    const rarer = pairs.filter((pair) => pair.count < pairs[0].count)
    const three = [pairs[0], ...rarer.slice(0, 2)]
    const turn = (step * 7 + 1) % three.length
    return [...three.slice(turn), ...three.slice(0, turn)]
  }

  refresh() {
    this.node.dispatchEvent(new CustomEvent("refresh", { bubbles: true }))
  }
}

export default mounted(MergeView)
