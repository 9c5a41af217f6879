// Tokens on a canvas, in the colours of a view: as a picture, or moving, as a video.

/** @import { Token } from "./row.js" */
import { element, HUES } from "./elements.js"
import { glyphOf } from "./glyphs.js"
import { download, menu, TYPES } from "./saving.js"
import { range } from "./words.js"

export const EDGE = 56
export const LINE = 46
const [LARGE, SMALL] = [25, 17] // of the letters in boxes
const [PAD, GAP] = [6, 3] // in a box and between two
const [WIDTH, HEIGHT, HEAD, LINES, BAR] = [1280, 720, 136, 10, 6] // of a film
const [STILL, SECONDS, END] = [1, 8, 2] // of a film: its beginning, what moves, its end
const RATE = 30 // frames a second
const BITS = 8e6 // a second

/**
 * What stands in a box of a hue; one that is not `whole` has bytes of characters.
 * @typedef {{text: string, whole: boolean, hue: number}} Boxed
 */
/** Boxes, a line under them, and how far the film is, from 0 to 1. @typedef {{boxes: Boxed[], line: string}} Frame */

/**
 * A token as what stands in its box: its characters, and of those that it holds in part which bytes.
 * @param {Token} token
 * @returns {Boxed}
 */
export function boxed({ parts, hue }) {
  const text = parts.map(({ unit, first, last, whole }) =>
    whole && unit.text !== null
      ? glyphOf(unit.text)
      : `${range(first, last)}/${unit.size}${unit.text ?? ""}`
  ).join("")
  return { text, whole: parts.every(({ whole }) => whole), hue: Number(hue.slice(3)) }
}

/**
 * The lines that boxes of these widths make, as the line and the place of each; one that would stand
 * behind the last line, and all after it, have none.
 * @param {readonly number[]} widths
 * @param {number} room
 * @param {number} lines
 */
export function laidOut(widths, room, lines) {
  const places = []
  let [line, x] = [0, 0]
  for (const width of widths) {
    if (x && x + width > room) [line, x] = [line + 1, 0]
    if (line === lines) break
    places.push({ line, x })
    x += width
  }
  return places
}

/**
 * How far a film is after so many seconds, from 0 to 1: it begins and ends with a still.
 * @param {number} seconds
 */
export const progressAfter = (seconds) => Math.min(Math.max((seconds - STILL) / SECONDS, 0), 1)

/** The kind of video that this browser can make of a canvas, if any. */
export const videoKind = () =>
  ["MP4", "WebM"].find((kind) => globalThis.MediaRecorder?.isTypeSupported(TYPES[kind]))

/** A canvas with the ground, the letters and the hues of a view. */
export class Board {
  /**
   * @param {HTMLElement} view
   * @param {number} width
   * @param {number} height
   */
  constructor(view, width, height) {
    this.canvas = Object.assign(element("canvas"), { width, height })
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"))
    this.context.textBaseline = "middle"
    const style = getComputedStyle(view)
    this.ink = style.color
    this.family = style.fontFamily
    this.paper = style.getPropertyValue("--st-background-color")
    this.accent = style.getPropertyValue("--st-primary-color")
    this.hues = Array.from({ length: HUES }, (_, hue) => {
      const probe = element("span", `token hue${hue}`)
      view.append(probe)
      const colour = getComputedStyle(probe).backgroundColor
      probe.remove()
      return colour
    })
  }

  /** Begin anew, with the name of the app above and its address below. */
  clear() {
    const { width, height } = this.canvas
    this.context.fillStyle = this.paper
    this.context.fillRect(0, 0, width, height)
    this.font(26, 600)
    this.box("Playground", this.box("BPE", EDGE, EDGE, 1) - 2, EDGE, 0)
    this.font(22)
    this.context.fillText(location.host + location.pathname, EDGE, height - EDGE)
  }

  /**
   * @param {number} size
   * @param {number} [weight]
   */
  font(size, weight = 400) {
    this.context.font = `${weight} ${size}px ${this.family}`
  }

  /**
   * Draw a text in a box with its middle at a height; return where it ends.
   * @param {string} text
   * @param {number} x
   * @param {number} y
   * @param {number} hue
   */
  box(text, x, y, hue) {
    const { context } = this
    const width = context.measureText(text).width + 2 * PAD
    context.fillStyle = this.hues[hue]
    context.beginPath()
    context.roundRect(x, y - LINE / 2 + 3, width, LINE - 6, 5)
    context.fill()
    context.fillStyle = this.ink
    context.fillText(text, x + PAD, y)
    return x + width + GAP
  }

  /**
   * Draw boxes in lines, the first with its middle at a height; dots for those without room.
   * @param {readonly Boxed[]} boxes
   * @param {number} left
   * @param {number} top
   * @param {number} lines
   */
  flow(boxes, left, top, lines) {
    const widths = boxes.map(({ text, whole }) => {
      this.font(whole ? LARGE : SMALL)
      return this.context.measureText(text).width + 2 * PAD + GAP
    })
    const places = laidOut(widths, this.canvas.width - EDGE - left, lines)
    places.forEach(({ line, x }, place) => {
      const { text, whole, hue } = boxes[place]
      this.font(whole ? LARGE : SMALL)
      const end = this.box(text, left + x, top + line * LINE, hue)
      const isCut = place === places.length - 1 && places.length < boxes.length
      if (isCut) this.context.fillText("…", end, top + line * LINE)
    })
  }
}

/**
 * A ⋯ with a button that makes a video of a view and saves it; nothing where the browser cannot.
 * @param {string} label
 * @param {HTMLElement} view
 * @param {(progress: number) => Frame} frameAt what the film shows, from 0 to 1
 */
export function filmMenu(label, view, frameAt) {
  const kind = videoKind()
  if (!kind) return []
  const save = async () =>
    download(await film(view, frameAt, TYPES[kind]), `bpe.${kind.toLowerCase()}`)
  return [menu({ menu: label, [kind]: label }, kind, save, [kind])]
}

/**
 * @param {HTMLElement} view
 * @param {(progress: number) => Frame} frameAt
 * @param {string} type
 */
async function film(view, frameAt, type) {
  const board = new Board(view, WIDTH, HEIGHT)
  const { canvas, context } = board
  const draw = (/** @type {number} */ progress) => {
    const { boxes, line } = frameAt(progress)
    board.clear()
    board.flow(boxes, EDGE, HEAD, LINES)
    board.font(26, 600)
    context.textAlign = "right"
    context.fillText(line, WIDTH - EDGE, EDGE)
    context.textAlign = "left"
    context.fillStyle = board.accent
    context.fillRect(EDGE, HEIGHT - EDGE - 40, progress * (WIDTH - 2 * EDGE), BAR)
  }
  draw(0)
  const recorder = new MediaRecorder(canvas.captureStream(RATE), {
    mimeType: type,
    videoBitsPerSecond: BITS,
  })
  /** @type {Blob[]} */
  const parts = []
  recorder.ondataavailable = ({ data }) => parts.push(data)
  const stopped = new Promise((done) => recorder.onstop = done)
  recorder.start()
  const started = performance.now()
  const timer = setInterval(() => {
    const seconds = (performance.now() - started) / 1000
    draw(progressAfter(seconds))
    if (seconds < STILL + SECONDS + END) return
    clearInterval(timer)
    recorder.stop()
  }, 1000 / RATE)
  await stopped
  return new Blob(parts, { type })
}
