// A titled part of the picture.

/** @import { Training } from "../browser/training.js" */
import { element } from "../browser/elements.js"

/**
 * What Python says beside the picture.
 * @typedef {Record<
 *   | "words" | "changed" | "frequent" | "pairs" | "vocabulary" | "bytes" | "earlier"
 *   | "startBytes" | "startCharacters" | "done" | "removed" | "next" | "nextTied" | "stopped"
 *   | "exhausted" | "hint" | "pairLine" | "baseLine" | "symbolLine", string
 * >} PaneLabels
 */

export class Pane {
  /** @type {Training} */
  training
  /** @type {PaneLabels} */
  labels

  /**
   * @param {string} part
   * @param {string} className of its body
   */
  constructor(part, className) {
    this.node = element("section", `pane ${part}`)
    this.node.dataset.part = part
    this.title = element("h4")
    this.body = element("div", className)
    this.node.append(this.title, this.body)
  }

  /** @param {Training} training */
  reset(training) {
    this.training = training
  }

  /** @param {PaneLabels} labels */
  name(labels) {
    this.labels = labels
  }
}
