// The three charts over the merges, and the first merges that make 汉字.

/** @import { Model, Now } from "./model.js" */
import { button, element } from "../../browser/elements.js"
import { fill, number } from "../../browser/words.js"
import { Chart } from "./chart.js"
import { chipOf } from "./lists.js"
import { KINDS } from "./model.js"

const NARROWEST = 160 // px

/**
 * @typedef {Record<
 *   "compression" | "zh" | "other" | "kinds" | "counts" | "merges" | "times", string
 * > & {kind: string[], first: string[], save: Record<string, string>}} CurveLabels
 */

export class Curves {
  /** @param {(done: number) => void} go */
  constructor(go) {
    this.go = go
    this.compression = new Chart(go)
    this.kinds = new Chart(go, { stacked: true, most: 1, percent: true })
    this.counts = new Chart(go, { logarithmic: true })
    this.charts = element("div", "charts")
    this.charts.append(this.compression.node, this.kinds.node, this.counts.node)
    this.firsts = element("p", "firsts")
  }

  /**
   * @param {Model} model
   * @param {CurveLabels} labels
   */
  draw(model, labels) {
    const { steps, points, last } = model
    const width = Math.max(this.compression.node.clientWidth, NARROWEST)
    const compression = [
      { name: labels.zh, values: points.map(({ zh }) => zh), className: "zh" },
      { name: labels.other, values: points.map(({ other }) => other), className: "other" },
    ]
    const kinds = KINDS.map((kind) => ({
      name: labels.kind[kind],
      values: points.map(({ shares }) => shares[kind]),
      className: `kind${kind}`,
    }))
    const counts = [
      { name: labels.times, values: points.map(({ count }) => count), className: "count" },
    ]
    this.compression.draw(steps, last, compression, width)
    this.kinds.draw(steps, last, kinds, width)
    this.counts.draw(steps, last, counts, width)
    this.compression.offer(labels.compression, labels)
    this.kinds.offer(labels.kinds, labels)
    this.counts.offer(labels.counts, labels)
  }

  /**
   * @param {Model} model
   * @param {number} done
   * @param {Now} now
   * @param {CurveLabels} labels
   */
  show(model, done, now, labels) {
    const title = (/** @type {string} */ text) => element("strong", null, text)
    this.compression.show(
      done,
      title(labels.compression),
      named(labels.zh, "zh", ratio(now.zh)),
      named(labels.other, "other", ratio(now.other)),
    )
    const shares = KINDS.map((kind) =>
      named(labels.kind[kind], `kind${kind}`, percent(now.shares[kind]))
    )
    this.kinds.show(done, title(labels.kinds), ...shares)
    this.counts.show(done, title(labels.counts), named("", "count", number(now.count)))
    const firsts = model.firsts.flatMap((rank, kind) => {
      if (rank === null) return []
      const go = button("", () => this.go(rank + 1), "link")
      const text = fill(labels.first[kind], { merge: number(rank + 1) })
      go.append(text, " ", chipOf(model, model.made[rank]))
      return [go]
    })
    this.firsts.replaceChildren(...firsts)
  }
}

/** @param {number | null} value */
const ratio = (value) => (value === null ? "–" : value.toFixed(2))

/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`

/**
 * @param {string} name
 * @param {string} className
 * @param {string} value
 */
function named(name, className, value) {
  const said = element("span", "key")
  said.append(element("span", `swatch ${className}`), `${name} ${value}`)
  return said
}
