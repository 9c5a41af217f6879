// Where the inspector stands: beside its token, over the page.

/** @import { Token } from "../browser/row.js" */

const LOWEST = 240 // px that the inspector has at least
const TOP = 64 // px at the top of the window that other things may cover

/**
 * Put the inspector below its token, or above where there is more room.
 * @param {HTMLElement} inspector
 * @param {Token} token
 * @param {Element} pane the text, which may be scrolled
 * @param {Element} frame what the inspector is placed in
 */
export function placeBeside(inspector, token, pane, frame) {
  const own = token.node?.getClientRects()[0]
  const outer = (token.block ?? token.node)?.getBoundingClientRect()
  if (!own || !outer) return
  const box = frame.getBoundingClientRect()
  const shown = pane.getBoundingClientRect()
  const top = Math.max(outer.top, shown.top)
  const bottom = Math.min(outer.bottom, shown.bottom)
  const below = globalThis.innerHeight - bottom - 16
  const over = top - TOP - 16
  inspector.style.maxHeight = "none"
  const above = below < inspector.offsetHeight && over > below
  inspector.style.maxHeight = `${Math.max(LOWEST, above ? over : below)}px`
  const left = Math.max(0, Math.min(own.left - box.left - 16, box.width - inspector.offsetWidth))
  inspector.style.left = `${left}px`
  const lies = above ? top - inspector.offsetHeight - 8 : bottom + 8
  inspector.style.top = `${lies - box.top + frame.scrollTop}px`
}
