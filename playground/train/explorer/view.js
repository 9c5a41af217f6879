// The explorer: a trained tokenizer whose vocabulary size is a slider. Dragging it cuts the text
// again, moves the cursor of every curve and renews every list, and asks nothing of the server.

/** @import { Words } from "../../browser/speech.js" */
/** @import { CurveLabels } from "./curves.js" */
/** @import { ListLabels } from "./lists.js" */
/** @import { ModelData, Now } from "./model.js" */
/** @import { PieceData } from "./text.js" */
import { boxed, filmMenu } from "../../browser/canvas.js"
import { button, element, focusedBeside, mounted, View } from "../../browser/elements.js"
import { largeButton } from "../../browser/large.js"
import { store, stored } from "../../browser/storage.js"
import { fill, number } from "../../browser/words.js"
import { Curves } from "./curves.js"
import { Desk } from "./desk.js"
import { listsOf } from "./lists.js"
import { Model, scaled, unscaled } from "./model.js"
import { TextPane } from "./text_pane.js"
import { Text } from "./text.js"

const TYPING_DELAY = 250 // ms: Python cuts a typed text into pre-tokens when the typing pauses
const PLAY_SECONDS = 6
const FILM_DELAY = 900 // ms in which one sees the bytes before they merge
const FILM = "bpe film" // stored by a browser that has seen one
const NARROW = 640 // pixels: on a phone the settings come before the curves
const REST_DELAY = 150 // ms after the slider moved last
const LIST_DELAY = 120 // ms between two drawings of the lists while it moves

/**
 * @typedef {CurveLabels & ListLabels & Record<
 *   "play" | "pause" | "paused" | "slider" | "place" | "own" | "pen" | "curves" | "lists" | "perToken" | "newest" | "film", string
 * >} Labels
 */
/**
 * What Python sends; `size` is how many bytes the text has, `pieces` the text cut into pre-tokens,
 * `film` names the corpus, whose training is played by itself once.
 * @typedef {{
 *   model: ModelData, version: string, film: string, text: string, pieces: PieceData[], size: number,
 *   notes: string[], height: number, labels: Labels, words: Words,
 *   told: {token: string, more: [string, string][]} | null,
 * }} Data
 */

/** The corpora whose training was played. @type {Set<string>} */
const played = new Set()

/** @extends {View<Data>} */
class Explorer extends View {
  /** @type {Data} */
  data
  /** @type {Model} */
  model
  /** @type {Text} */
  cut
  version = ""
  /** @type {string | null} the pieces that the text was cut into last */
  pieces = null
  /** @type {string | null} the text that Python sent last */
  given = null
  /** How many merges are made. */
  done = 0
  /** Whether the reader has stopped the film on its way. */
  paused = false
  /** When the lists were drawn last. */
  listed = 0
  /** @type {number | null} of the animation, while it plays */
  clock = null
  /** @type {number | null} of the next drawing */
  frame = null
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  typing = undefined
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  resting = undefined

  /** @param {HTMLElement | ShadowRoot} parent */
  constructor(parent) {
    super()
    this.root = element("div", "view explorer with-glyphs")
    parent.append(this.root)

    this.play = button("", () => this.toggle(), "play")
    this.slider = element("input", "slider")
    Object.assign(this.slider, { type: "range", min: "0", max: "1", step: "any" })
    this.slider.addEventListener("input", () => {
      this.go(unscaled(Number(this.slider.value), this.model.last))
    })
    this.slider.addEventListener("keydown", (event) => this.press(event))
    this.place = element("output", "place")
    const run = element("div", "run")
    this.large = largeButton(this.root)
    this.film = element("div")
    run.append(this.play, this.slider, this.place, this.large, this.film)

    this.desk = new Desk()
    this.own = this.desk.area
    this.own.addEventListener("input", () => {
      if (this.clock !== null) this.toggle()
      clearTimeout(this.typing)
      this.typing = setTimeout(() => {
        this.typing = undefined
        this.setStateValue("text", this.own.value)
      }, TYPING_DELAY)
    })
    this.own.addEventListener("keydown", ({ key }) => key === "Escape" && this.own.blur())
    this.own.addEventListener("blur", () => this.edit(false))
    this.pen = button("", () => this.edit(true), "pen")
    this.facts = element("span")
    const foot = element("p", "note")
    this.newest = element("span", "newest")
    foot.append(this.facts, this.pen, this.newest)
    this.text = new TextPane((hex) => this.setStateValue("asked", hex))
    this.curves = new Curves((done) => this.go(done))
    this.lists = element("div", "lists")
    const { text, curves } = this
    this.root.append(run, this.desk.node, text.node, foot, text.status, text.inspector.node)
    this.more = [[curves.charts], [curves.firsts, this.lists]].map((parts) => {
      const box = element("details")
      box.append(element("summary"), ...parts)
      box.addEventListener("toggle", () => box.open && this.drawCurves())
      return box
    })
    this.more[0].open = globalThis.innerWidth > NARROW
    this.root.append(...this.more)
    this.resized = new ResizeObserver(() => this.drawCurves())
    this.resized.observe(curves.charts)
  }

  destroy() {
    this.stop()
    clearTimeout(this.typing)
    clearTimeout(this.resting)
    if (this.frame !== null) cancelAnimationFrame(this.frame)
    this.resized.disconnect()
    this.root.remove()
  }

  /** @param {Data} data */
  update(data) {
    const { labels } = data
    this.data = data
    this.text.told = data.told
    this.text.name(data.words)
    if (data.version !== this.version) {
      this.version = data.version
      this.model = new Model(data.model)
      this.stop()
      this.paused = false
      this.done = this.model.last
      this.listed = 0
      this.pieces = null
      this.text.node.style.minHeight = ""
      this.more[0].hidden = !this.model.last // the curves are over the merges
    }
    const pieces = JSON.stringify(data.pieces)
    if (pieces !== this.pieces) {
      this.pieces = pieces
      this.cut = new Text(this.model, data.pieces)
      this.text.clear(this.model)
    }
    const isOwn = this.typing !== undefined || focusedBeside(this.root) === this.own
    if (this.given !== data.text && !isOwn) this.desk.write(data.text)
    this.given = data.text
    this.own.setAttribute("aria-label", labels.own)
    this.own.placeholder = labels.own
    this.pen.textContent = `✎ ${labels.pen}`
    this.newest.textContent = labels.newest
    this.large.textContent = data.words.large
    this.large.title = data.words.largeHint
    this.film.hidden = !this.model.last
    if (this.film.title !== labels.film) {
      this.film.title = labels.film
      const film = filmMenu(labels.film, this.root, (progress) => {
        const done = unscaled(progress, this.model.last)
        return { boxes: this.cut.row(done).tokens.map(boxed), line: this.placeAt(done) }
      })
      this.film.replaceChildren(...film)
    }
    this.slider.setAttribute("aria-label", labels.slider)
    const titles = [labels.curves, labels.lists]
    this.more.forEach((box, at) => box.children[0].replaceChildren(titles[at]))
    this.root.style.setProperty("--height", `${data.height}px`)
    this.name()
    this.drawCurves()
    this.playOnce()
  }

  /** Play the training of a corpus that is seen first, for those who do not mind motion. */
  playOnce() {
    const { film } = this.data
    if (played.has(film)) return
    const again = !played.size && stored(FILM, "localStorage")
    played.add(film)
    if (again || !this.model.last || matchMedia("(prefers-reduced-motion: reduce)").matches) return
    store(FILM, "seen", "localStorage")
    this.done = 0
    this.show()
    this.text.node.style.minHeight = `${this.text.node.offsetHeight}px` // it holds ever fewer tokens
    this.toggle(FILM_DELAY)
  }

  /**
   * Turn the tokens into a text to be edited, in the same place and colours, or back.
   * @param {boolean} open
   */
  edit(open) {
    this.desk.node.hidden = !open
    for (const node of [this.text.node, this.text.status, this.pen]) node.hidden = open
    if (!open) return
    this.text.pin(null)
    this.show()
    this.own.select()
  }

  // How many merges are made

  /**
   * @param {number} done
   * @param {boolean} [byClock]
   */
  go(done, byClock = false) {
    if (!byClock) this.stop()
    this.paused = false
    this.done = Math.min(Math.max(done, 0), this.model.last)
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null
      this.show(true)
    })
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { done } = this
    const { last } = this.model
    const page = Math.ceil(last / 20)
    const to = {
      ArrowLeft: done - 1,
      ArrowDown: done - 1,
      ArrowRight: done + 1,
      ArrowUp: done + 1,
      PageDown: done - page,
      PageUp: done + page,
      Home: 0,
      End: last,
    }[event.key]
    if (to === undefined) return
    event.preventDefault()
    this.go(to)
  }

  /** @param {number} [delay] milliseconds before it begins */
  toggle(delay = 0) {
    const { last } = this.model
    if (this.clock !== null) {
      this.stop()
      this.paused = this.done < last
      return this.show()
    }
    this.paused = false
    const from = this.done >= last ? 0 : scaled(this.done, last)
    const started = performance.now() + delay
    const tick = (/** @type {number} */ now) => {
      const place = from + (now - started) / (PLAY_SECONDS * 1000)
      if (place >= 1) {
        this.text.node.style.minHeight = ""
        return this.go(last)
      }
      this.clock = requestAnimationFrame(tick)
      const done = unscaled(Math.max(place, from), last)
      if (done !== this.done) this.go(done, true)
    }
    this.clock = requestAnimationFrame(tick)
    this.name()
  }

  stop() {
    if (this.clock === null) return
    cancelAnimationFrame(this.clock)
    this.clock = null
    this.name()
  }

  /** Say what the button does. */
  name() {
    const playing = this.clock !== null
    const label = playing ? this.data.labels.pause : this.data.labels.play
    this.play.textContent = `${playing ? "❚❚" : "▶\ufe0e"} ${label}`
    this.play.disabled = this.slider.disabled = !this.model.last
  }

  // What is shown of them

  /**
   * Draw the place where the slider is; `moving` leaves what takes long for when it rests.
   * @param {boolean} [moving]
   */
  show(moving = false) {
    const { model, done, data } = this
    const { labels } = data
    const now = model.at(done)
    const at = scaled(done, model.last)
    this.slider.value = String(at)
    this.slider.style.setProperty("--at", `${100 * at}%`)
    const place = this.placeAt(done)
    this.place.textContent = this.paused ? `${place} · ${labels.paused}` : place
    this.slider.setAttribute("aria-valuetext", this.place.textContent)
    const row = this.text.draw(this.cut, done, now, moving)
    if (!this.desk.node.hidden) this.desk.colour(this.data.text, row, model.end)
    const { tokens, total } = row
    this.newest.style.visibility = tokens.some(({ node }) => node?.matches(".fresh"))
      ? "visible"
      : "hidden"
    const perToken = { value: (data.size / total).toFixed(2) }
    this.facts.textContent = [
      fill(data.words.count, { total: number(total) }),
      total ? fill(labels.perToken, perToken) : "",
      ...data.notes,
    ].filter(Boolean).join(" · ")
    this.curves.show(model, done, now, labels)
    clearTimeout(this.resting)
    if (!moving) return this.showLists(now)
    if (performance.now() - this.listed > LIST_DELAY) this.showLists(now)
    this.resting = setTimeout(() => this.show(), REST_DELAY)
  }

  /** The size of the vocabulary after so many merges, in words. @param {number} done */
  placeAt(done) {
    const { model } = this
    const size = number(model.size(done))
    return fill(this.data.labels.place, { size, merges: number(done) })
  }

  /** @param {Now} now */
  showLists(now) {
    if (!this.more[1].open) return
    this.listed = performance.now()
    const go = (/** @type {number} */ done) => this.go(done)
    const lists = listsOf(this.model, this.done, now, this.data.labels, go)
    this.lists.replaceChildren(...lists)
  }

  drawCurves() {
    if (!this.model) return
    this.curves.draw(this.model, this.data.labels)
    this.show()
  }
}

export default mounted(Explorer)
