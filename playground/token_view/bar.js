// The line above the tokens: how many there are, ways to other pages, switches; and what the signs in
// the text mean.

/** @import { Sign, Words } from "../browser/speech.js" */
import { button, element } from "../browser/elements.js"
import { fill, number } from "../browser/words.js"

/**
 * How many tokens there are and how many of them are here, from which on; and where the pages
 * before and after this one start.
 * @typedef {{name: string, total: number, first: number, count: number}} Window
 * @typedef {{
 *   labels: Words, blocks: unknown[] | null, earlier: number | null, later: number | null
 * }} Page
 */

/**
 * How many tokens there are, and if these are a window, buttons to its neighbours.
 * @param {Page} page
 * @param {Window} window
 * @param {(start: number) => void} turn
 */
export function countAndPages(
  { labels: words, blocks, earlier, later },
  { first, count, total, name },
  turn,
) {
  if (!total) return [element("span", "quiet", words.none)]
  const windowed = count < total
  const said = windowed
    ? fill(words.window, { first: first + 1, last: first + count, total })
    : fill(words.count, { total })
  // Side by side the numbers stand at the names; a window is that of the first tokenizer.
  const several = blocks ? (windowed ? `${name}: ${said}` : "") : said
  const drawn = [element("span", "count", several)]
  if (!windowed) return drawn
  return [...drawn, pageButton(words.earlier, earlier, turn), pageButton(words.later, later, turn)]
}

/**
 * @param {string} label
 * @param {number | null} start
 * @param {(start: number) => void} turn
 */
function pageButton(label, start, turn) {
  const made = button(label, () => start !== null && turn(start))
  made.disabled = start === null
  return made
}

/**
 * A button that is pressed or not; `press` returns whether it is from now on.
 * @param {string} label
 * @param {boolean} pressed
 * @param {() => boolean} press
 * @param {"aria-pressed" | "aria-expanded"} [state]
 */
export function toggle(label, pressed, press, state = "aria-pressed") {
  const made = button(label, () => made.setAttribute(state, String(press())))
  made.setAttribute(state, String(pressed))
  return made
}

/**
 * The name of each tokenizer and how many tokens it has, beside the first line of blocks; a click on
 * a name makes another one the base.
 * @param {readonly {name: string, code: string, total: number, measure: string}[]} rows
 * @param {number | null} base
 * @param {string} hint
 * @param {(row: number) => void} choose
 */
export function totalsOf(rows, base, hint, choose) {
  return rows.map((row, at) => {
    const line = element("div", at === base ? "row base" : "row")
    const total = element("span", "total", number(row.total))
    const other = base !== null && at !== base
    const name = other
      ? button(row.name, () => choose(at), "name")
      : element("span", "name", row.name)
    name.title = other ? fill(hint, { name: row.name }) : row.code
    if (row.code) name.append(element("small", null, ` ${row.code}`))
    line.append(name, total)
    if (row.measure) line.append(element("span", "measure", row.measure))
    return line
  })
}

/** What the signs in the text mean, each as it stands there. @param {readonly Sign[]} signs */
export function legendOf(signs) {
  return signs.flatMap(([kind, sign, means]) => {
    const name = element("dt")
    name.append(drawSign(kind, sign))
    return [name, element("dd", null, means)]
  })
}

/**
 * @param {string} kind
 * @param {string} sign
 */
function drawSign(kind, sign) {
  if (kind === "token" || kind === "special" || kind === "same") {
    const token = element("span", kind === "same" ? "sign alike" : "sign hue1", sign)
    token.dataset.kind = kind
    return token
  }
  if (kind === "part") {
    const token = element("span", "sign hue2")
    const [fraction, character] = sign.split(" ")
    const part = element("span", "part")
    part.append(element("span", "fraction", fraction), element("span", "glyph", character))
    token.append(part)
    return token
  }
  return element("span", kind === "control" ? "control" : "mono", sign)
}
