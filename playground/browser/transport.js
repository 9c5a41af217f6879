// Play, pause, step, drag: one place in a run of steps, moved by hand or by the clock.

import { button, element, focusedBeside, placeByKey } from "./elements.js"
import { fill } from "./words.js"

const DELAYS = [1600, 800, 300, 80] // ms between steps
/** @type {Record<string, string>} */
const SIGNS = { first: "⇤", back: "←", play: "▶\ufe0e", pause: "❚❚", on: "→", last: "⇥" }

/**
 * @typedef {Record<
 *   | "first" | "back" | "play" | "pause" | "on" | "last" | "slider" | "place" | "speed"
 *   | "previous" | "next" | "self", string
 * >} TransportWords
 */

export class Transport {
  /** @type {readonly string[] | null} what is written of each step, where it is no number of merges */
  places = null
  /** @type {TransportWords | null} */
  words = null
  /** Of the clock, while it plays. @type {ReturnType<typeof setTimeout> | undefined} */
  timer = undefined
  /** @type {number | null} */
  frame = null

  /** @param {(step: number) => void} moved is called at most once a frame */
  constructor(moved) {
    this.moved = moved
    this.step = 0
    this.last = 0
    this.speed = 1
    this.node = element("div", "transport")
    this.node.dataset.part = "transport"
    const make = (/** @type {string} */ name, /** @type {() => void} */ to) => {
      const made = button(SIGNS[name], to, name)
      this.node.append(made)
      return made
    }
    this.buttons = {
      first: make("first", () => this.go(0)),
      back: make("back", () => this.go(this.step - 1)),
      play: make("play", () => this.toggle()),
      on: make("on", () => this.go(this.step + 1)),
      last: make("last", () => this.go(this.last)),
    }
    this.slider = element("input")
    this.slider.type = "range"
    this.slider.className = "slider"
    this.slider.min = "0"
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)))
    this.track = element("span", "slide")
    this.tick = element("span", "tick")
    this.tick.hidden = true
    this.track.append(this.slider, this.tick)
    this.place = element("output", "place")
    this.rate = button("", () => {
      this.speed = (this.speed + 1) % DELAYS.length
      this.name(this.words)
    }, "rate")
    this.node.append(this.track, this.place, this.rate)
  }

  destroy() {
    this.pause()
    if (this.frame !== null) cancelAnimationFrame(this.frame)
  }

  /**
   * Set how far one can go, and stand at `step`.
   * @param {number} last
   * @param {number} step
   */
  reset(last, step) {
    this.pause()
    this.last = last
    this.slider.max = String(last)
    this.step = Math.max(0, Math.min(step, last))
    this.sync()
  }

  /** @param {TransportWords | null} words */
  name(words) {
    this.words = words
    if (!words) return
    for (const [name, made] of Object.entries(this.buttons)) {
      const called = /** @type {keyof typeof this.buttons} */ (name)
      const label = name === "play" && this.timer ? words.pause : words[called]
      made.setAttribute("aria-label", label)
      made.title = label
    }
    this.slider.setAttribute("aria-label", words.slider)
    this.rate.textContent = fill(words.speed, { rate: this.speed + 1 })
    this.sync()
  }

  sync() {
    const { buttons, step, last } = this
    this.slider.value = String(step)
    this.slider.style.setProperty("--at", `${last ? (100 * step) / last : 0}%`)
    buttons.first.disabled = buttons.back.disabled = step === 0
    buttons.last.disabled = buttons.on.disabled = step === last
    buttons.play.disabled = last === 0
    // A button that is switched off loses the keyboard; the slider takes it.
    if (focusedBeside(this.node)?.matches(":disabled")) this.slider.focus({ preventScroll: true })
    buttons.play.textContent = this.timer ? SIGNS.pause : SIGNS.play
    if (this.words) {
      this.place.textContent = this.places?.[step] ?? fill(this.words.place, { step, last })
      this.slider.setAttribute("aria-valuetext", this.place.textContent)
    }
  }

  /**
   * Show where on the slider a step is; `null` for nowhere.
   * @param {number | null} step
   */
  mark(step) {
    this.tick.hidden = step === null
    if (step === null) return
    this.tick.style.setProperty("--share", String(this.last ? step / this.last : 0))
  }

  /**
   * @param {number} step
   * @param {boolean} [byClock]
   */
  go(step, byClock = false) {
    if (!byClock) this.pause()
    this.step = Math.max(0, Math.min(step, this.last))
    if (this.step === this.last) this.pause()
    this.sync()
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null
      this.moved(this.step)
    })
  }

  toggle() {
    if (this.timer) return this.pause()
    if (this.step === this.last) this.go(0)
    const tick = () => {
      this.timer = setTimeout(tick, DELAYS[this.speed])
      this.go(this.step + 1, true)
    }
    this.timer = setTimeout(tick, 150)
    this.name(this.words)
  }

  pause() {
    if (!this.timer) return
    clearTimeout(this.timer)
    this.timer = undefined
    this.name(this.words)
  }

  /**
   * Answer a key; the slider answers its own.
   * @param {KeyboardEvent} event
   */
  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const [target] = event.composedPath()
    const to = placeByKey(event.key, this.step, this.last)
    if (event.key === " " && !(target instanceof HTMLButtonElement)) this.toggle()
    else if (to !== undefined && !(target instanceof HTMLInputElement)) this.go(to)
    else return
    event.preventDefault()
  }
}
