// Symbols as chips. Bytes that are part of a character stand over that character, faint.

/** A symbol on its own, as in the list of pairs or in the vocabulary. */
function symbolChip(training, id, className = "") {
  const chip = element("span", `chip ${hueOf(training, id)} ${className}`)
  chip.symbol = id
  const spelled = training.spelling[id]
  if (training.bytes) {
    const bytes = spelled
    for (let at = 0; at < bytes.length; ) {
      const [size, valid] = characterAt(bytes, at)
      if (valid) chip.append(glyphOf(spell(bytes, at, size)))
      else chip.append(element("span", "hex", hex(bytes.subarray(at, at + size))))
      at += size
    }
  } else drawText(chip, spelled, training.end)
  return chip
}

/** The symbol that covers `start` to `end` (bytes or characters) of a word. */
function wordChip(word, id, start, end) {
  const { training } = word
  const chip = element("span", `chip ${hueOf(training, id)}`)
  chip.symbol = id
  if (!training.bytes) {
    drawText(chip, training.spelling[id], training.end)
    return chip
  }
  for (const unit of word.characters) {
    if (unit.start + unit.size <= start) continue
    if (unit.start >= end) break
    const first = Math.max(start, unit.start)
    const last = Math.min(end, unit.start + unit.size)
    if (unit.text !== null && last - first === unit.size) chip.append(glyphOf(unit.text))
    else {
      const part = element("span", "part")
      part.append(
        element("span", "hex", hex(training.spelling[id].subarray(first - start, last - start))),
        element("span", "ghost", unit.text === null ? "" : glyphOf(unit.text))
      )
      chip.append(part)
    }
  }
  return chip
}

function drawText(chip, text, end) {
  const marked = end && text.endsWith(end)
  for (const character of marked ? text.slice(0, -end.length) : text) chip.append(glyphOf(character))
  if (marked) chip.append(element("span", "end", end))
}

const hueOf = (training, id) => {
  const made = training.madeBy.get(id)
  return made === undefined ? "base" : `hue${made % HUES}`
}

/** Fill the `{gaps}` of a sentence with texts or nodes. */
function sentence(template, values) {
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

/** Make `nodes` the children of `parent`, touching only those that come, go or move. */
function arrange(parent, nodes) {
  const kept = new Set(nodes)
  for (let child = parent.firstChild; child; ) {
    const following = child.nextSibling
    if (!kept.has(child)) child.remove()
    child = following
  }
  let at = parent.firstChild
  for (const node of nodes) {
    if (node === at) at = at.nextSibling
    else parent.insertBefore(node, at)
  }
}
