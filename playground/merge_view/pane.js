// A titled part of the picture.

import { element } from "../browser/elements.js"

/** @param {string} part */
export function pane(part) {
  const node = element("section", `pane ${part}`)
  node.dataset.part = part
  const title = element("h4")
  node.append(title)
  return { node, title }
}

/**
 * What Python says beside the picture.
 * @typedef {Record<
 *   | "words" | "changed" | "frequent" | "pairs" | "vocabulary" | "bytes" | "earlier"
 *   | "startBytes" | "startCharacters" | "done" | "removed" | "next" | "nextTied" | "stopped"
 *   | "exhausted" | "hint" | "pairLine" | "baseLine" | "symbolLine", string
 * >} PaneLabels
 */
