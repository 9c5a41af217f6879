// Texts that Python sent, with their gaps filled.

/** Fill `{name}` gaps; numbers get thousands separators. */
export const fill = (template, values = {}) =>
  template.replace(
    /\{(\w+)\}/g,
    (_, name) =>
      typeof values[name] === "number" ? values[name].toLocaleString("en") : (values[name] ?? ""),
  )

export const shorten = (text, length) => (text.length > length ? text.slice(0, length) + "…" : text)

/** Fill the `{gaps}` of a sentence with texts or nodes. */
export function sentence(template, values) {
  const parts = []
  template.split(/\{(\w+)\}/).forEach((piece, at) => {
    const value = at % 2 ? values[piece] : piece
    if (value instanceof Node) parts.push(value)
    else if (value !== undefined && value !== "") {
      parts.push(typeof value === "number" ? value.toLocaleString("en") : value)
    }
  })
  return parts
}

/** A place among several, or from one to another: "2", "2–3". */
export const range = (first, last) => (first === last ? `${first}` : `${first}–${last}`)
