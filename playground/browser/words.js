// Sentences that Python sent, with their gaps filled.

/** @typedef {Record<string, string | number | null | undefined>} Values */

const formatted = new Intl.NumberFormat("en")

/**
 * A number with separators of thousands; toLocaleString takes ten times as long.
 * @param {number} value
 */
export const number = (value) => formatted.format(value)

/**
 * Fill `{name}` gaps; numbers get separators of thousands.
 * @param {string} template
 * @param {Values} values
 */
export const fill = (template, values) =>
  template.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name]
    return typeof value === "number" ? number(value) : (value ?? "")
  })

/**
 * Fill `{name}` gaps with texts or nodes.
 * @param {string} template
 * @param {Record<string, string | number | Node | null | undefined>} values
 */
export function sentence(template, values) {
  /** @type {(string | Node)[]} */
  const parts = []
  template.split(/\{(\w+)\}/).forEach((piece, at) => {
    const value = at % 2 ? values[piece] : piece
    if (value === undefined || value === null || value === "") return
    parts.push(typeof value === "number" ? number(value) : value)
  })
  return parts
}

/**
 * @param {string} text
 * @param {number} length
 */
export const shorten = (text, length) => (text.length > length ? text.slice(0, length) + "…" : text)

/**
 * A place, or from one to another: "2", "2–3".
 * @param {number} first
 * @param {number} last
 */
export const range = (first, last) => (first === last ? `${first}` : `${first}–${last}`)
