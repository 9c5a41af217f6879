// What the vocabulary holds: the last merges, its scripts and lengths, its longest and rarest tokens.

/** @import { Model, Now, Script } from "./model.js" */
import { button, element } from "../../browser/elements.js"
import { drawParts } from "../../browser/glyphs.js"
import { partsOf, written } from "../../browser/row.js"
import { MOST_CHARACTERS } from "../../browser/speech.js"
import { fill, number } from "../../browser/words.js"
import { LENGTHS, SCRIPTS } from "./model.js"

const LISTED = 12
/** What a piece inside a word begins with. */
export const INSIDE = "##"

/**
 * @typedef {Record<
 *   | "lastMerges" | "byScript" | "byLength" | "longest" | "residue" | "residueHint" | "rare"
 *   | "never", string
 * > & {scripts: Record<Script, string>, lengths: [string, string]}} ListLabels
 */

/**
 * @param {Model} model
 * @param {number} done
 * @param {Now} now what is shown after `done` merges
 * @param {ListLabels} labels
 * @param {(done: number) => void} go
 */
export function listsOf(model, done, now, labels, go) {
  const { ids, occurs } = now
  const learned = ids.filter((id) => model.learned(id))
  const longest = [...learned].sort((a, b) => model.length[b] - model.length[a] || a - b)
  const residue = learned.filter((id) => occurs[id] <= 0)
  const rare = learned.filter((id) => occurs[id] > 0 && occurs[id] <= 2)
  const never = model.bytes ? ids.filter((id) => id < 256 && !model.base[id]) : []
  const chips = (/** @type {number[]} */ some) =>
    some.slice(0, LISTED).map((id) => chipOf(model, id))
  const counted = (/** @type {number[]} */ some) =>
    some.slice(0, LISTED).map((id) => chipOf(model, id, occurs[id]))
  const share = `${ids.length ? ((residue.length / ids.length) * 100).toFixed(1) : 0}%`
  const scripts = SCRIPTS.flatMap((name, n) =>
    now.scripts[n] ? [barOf(labels.scripts[name], now.scripts[n])] : []
  )
  const lengths = now.lengths.map((count, at) => {
    const n = at + 1 === LENGTHS ? `${LENGTHS}+` : String(at + 1)
    return barOf(fill(labels.lengths[at ? 1 : 0], { n }), count)
  })
  return [
    model.leaving
      ? list(labels.lastMerges, "chips", chips(model.removed.get(done - 1) ?? []))
      : list(labels.lastMerges, "lines", lastMerges(model, done, go)),
    list(labels.byScript, "chips", [bars(scripts)]),
    list(labels.byLength, "chips", [bars(lengths)]),
    list(labels.longest, "chips", counted(longest)),
    list(
      fill(labels.residue, { n: number(residue.length), share }),
      "chips",
      chips(residue),
      labels.residueHint,
    ),
    list(fill(labels.rare, { n: number(rare.length) }), "chips", counted(rare)),
    ...(never.length ? [list(fill(labels.never, { n: never.length }), "chips", chips(never))] : []),
  ]
}

/**
 * @param {Model} model
 * @param {number} done
 * @param {(done: number) => void} go
 */
function lastMerges(model, done, go) {
  const lines = []
  const chip = (/** @type {number} */ id) => chipOf(model, id)
  for (let rank = done - 1; rank >= Math.max(0, done - LISTED); rank--) {
    const line = button("", () => go(rank + 1), "merge-line")
    line.append(
      element("span", "quiet", number(rank + 1)),
      ...[chip(model.left[rank]), "+", chip(model.right[rank]), "→", chip(model.made[rank])],
      element("span", "amount quiet", `×${number(model.count[rank])}`),
    )
    lines.push(line)
  }
  return lines
}

/**
 * @param {string} title
 * @param {"lines" | "chips"} className
 * @param {HTMLElement[]} rows
 * @param {string} [hint]
 */
function list(title, className, rows, hint) {
  const box = element("section", "list")
  box.append(element("h4", null, title))
  if (hint) box.append(element("p", "note", hint))
  const body = element("div", rows.length ? className : "chips")
  body.append(...(rows.length ? rows : [element("span", "quiet", "–")]))
  box.append(body)
  return box
}

/**
 * @param {string} name
 * @param {number} value
 * @returns {[string, number]}
 */
const barOf = (name, value) => [name, value]

/**
 * Rows of bars with names and numbers, each as long as its share of the largest.
 * @param {[string, number][]} rows
 */
function bars(rows) {
  const node = element("div", "bars")
  const most = Math.max(...rows.map(([, value]) => value), 1)
  for (const [name, value] of rows) {
    const bar = element("span", "bar-fill")
    bar.style.width = `${(value / most) * 100}%`
    const track = element("span", "track")
    track.append(bar)
    node.append(element("span", "quiet", name), track, element("span", "amount", number(value)))
  }
  return node
}

/**
 * A symbol as a chip, with how often it occurs.
 * @param {Model} model
 * @param {number} id
 * @param {number} [occurs]
 */
export function chipOf(model, id, occurs) {
  const chip = element("span", "piece")
  if (model.inside.has(id)) chip.dataset.inside = INSIDE
  drawParts(chip, partsOf(written([model.spelled[id]])).slice(0, MOST_CHARACTERS), true)
  if (occurs !== undefined) chip.append(element("span", "small quiet", `×${number(occurs)}`))
  return chip
}
