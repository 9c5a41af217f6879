// Writes Streamlit's own words anew, where a whole text or attribute is one of them. What a visitor
// has typed is in fields and options, which are left alone, or in the shadow of a component. Of
// Markdown, only what stands on an error of a field is Streamlit's.

import "./history.js"

const ATTRIBUTES = ["aria-label", "title", "placeholder"]
const NOT_OURS = "textarea, [role=listbox]:not([data-empty]) [role=option], pre, code, " +
  "[data-testid=stMarkdownContainer]:not([data-testid=stTooltipErrorContent] > *)"

/** @type {Map<string, string>} */
let exact = new Map()
/** What a sentence with gaps is like, and what stands around the gaps. @type {[RegExp, string[]][]} */
let patterns = []

/**
 * @param {string} text
 * @returns {string | undefined}
 */
function translated(text) {
  const whole = text.trim()
  const known = exact.get(whole)
  if (known !== undefined) return known
  for (const [pattern, parts] of patterns) {
    const found = pattern.exec(whole)
    if (found) return parts.map((part, gap) => part + (found[gap + 1] ?? "")).join("")
  }
  // The buttons over a table or chart are called what they do, and over which; an error is called
  // one, which may stand in an element before.
  const colon = whole.indexOf(": ")
  if (colon < 0) return undefined
  const [label, about] = [whole.slice(0, colon), whole.slice(colon + 2)]
  const [name, said] = [exact.get(label), translated(about)]
  if (name === undefined && (label || said === undefined)) return undefined
  return `${name ?? label}: ${said ?? about}`
}

/** @param {Node} node */
function rewriteText(node) {
  const found = translated(node.nodeValue ?? "")
  if (found !== undefined && !node.parentElement?.closest(NOT_OURS)) node.nodeValue = found
}

/** @param {Element} element */
function rewriteAttributes(element) {
  for (const name of ATTRIBUTES) {
    const value = element.getAttribute(name)
    const found = value ? translated(value) : undefined
    if (found !== undefined && found !== value) element.setAttribute(name, found)
  }
}

/** @param {Node} root */
function rewrite(root) {
  if (root.nodeType === Node.TEXT_NODE) return rewriteText(root)
  if (!(root instanceof Element)) return
  rewriteAttributes(root)
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    if (node instanceof Element) rewriteAttributes(node)
    else rewriteText(node)
  }
}

/** @param {readonly (readonly [string, string])[]} words */
function learn(words) {
  exact = new Map()
  patterns = []
  for (const [from, to] of words) {
    if (!from.includes("{name}")) {
      exact.set(from, to)
      continue
    }
    const quoted = from.split("{name}").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    patterns.push([new RegExp(`^${quoted.join("(.+)")}$`, "s"), to.split("{name}")])
  }
}

const observer = new MutationObserver((changes) => {
  for (const change of changes) {
    if (change.target instanceof Element && change.type === "attributes") {
      rewriteAttributes(change.target)
    } else if (change.type === "characterData") rewriteText(change.target)
    else change.addedNodes.forEach(rewrite)
  }
})

/** @type {Record<string, string>} */
let last = {}
let newest = 0

// What has been shown once, or the reader has in hand, is not hidden any more (frame.css), nor is what
// waits for code that does not come. Rooms are reserved until the first run is over, too.
const OVER = ".stApp[data-test-script-state=notRunning]"
const STEP = 100
const CALM = 3
const MOST = 50
let steps = 0
let calm = 0
let over = 0
const timer = setInterval(() => {
  const page = document.querySelector(".st-key-page:has([data-testid=stMarkdownContainer])")
  calm = page && !page.querySelector("[data-testid=stSkeleton]") ? calm + 1 : 0
  over = calm && document.querySelector(OVER) ? over + 1 : 0
  steps += 1
  if (calm === CALM) document.documentElement.dataset.touched = ""
  if (over === CALM || steps === MOST) show()
}, STEP)
const show = () => {
  clearInterval(timer)
  Object.assign(document.documentElement.dataset, { touched: "", over: "" })
}
for (const act of ["pointerdown", "keydown", "wheel"]) {
  addEventListener(act, show, { once: true, passive: true })
}

/**
 * After a change of theme Streamlit may call this with what was sent before the language was changed.
 * @param {{data: {lang: string, since: number, words: Record<string, string>}}} drawing the words
 *   by the English ones that they stand for; `since` grows with each change of language
 */
export default function ({ data }) {
  if (data.since < newest) return
  newest = data.since
  document.documentElement.lang = data.lang
  if (JSON.stringify(data.words) === JSON.stringify(last)) return
  observer.disconnect()
  learn(Object.entries(last).map(([english, local]) => /** @type {const} */ ([local, english])))
  rewrite(document.body)
  last = data.words
  learn(Object.entries(last))
  if (!exact.size) return
  rewrite(document.body)
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ATTRIBUTES,
  })
}
