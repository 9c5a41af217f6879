// What the signs in the text mean, each as it stands there.

/** @import { Sign } from "../browser/speech.js" */
import { element } from "../browser/elements.js"

/** @param {readonly Sign[]} signs */
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
