// What every component begins with: a view for each place, and elements by one call.

/** How many hues the style sheets have. */
export const HUES = 6

/** @typedef {(name: string, value: unknown) => void} Tell */
/**
 * What Streamlit calls a component with, at every drawing.
 * @template Data
 * @typedef {{
 *   parentElement: HTMLElement | ShadowRoot, data: Data, setStateValue: Tell, setTriggerValue: Tell
 * }} Drawing
 */

/**
 * What is drawn in one place: `update` takes what Python says, again and again.
 * @template Data
 */
export class View {
  /** Tell Python a value of the component's state. @type {Tell} */
  setStateValue = () => {}
  /** Tell Python of something that happens once. @type {Tell} */
  setTriggerValue = () => {}

  /** @param {Data} _data */
  update(_data) {}
  destroy() {}
}

/**
 * @template Data
 * @typedef {{view: View<Data>, draw: () => void, ended: boolean, former?: Drawn<Data>}} Drawn
 */

/**
 * Return a component that has one `View` for each place that it is drawn in.
 *
 * What is drawn several times while the code is on its way is drawn as often when it has come, in any
 * order, and Streamlit ends all but the newest drawing at once: the view goes back to that one then.
 * @template Data
 * @param {new (parent: HTMLElement | ShadowRoot) => View<Data>} Kind
 */
export function mounted(Kind) {
  /** @type {WeakMap<HTMLElement | ShadowRoot, Drawn<Data>>} */
  const places = new WeakMap()
  return (
    /** @type {Drawing<Data>} */ { parentElement, data, setStateValue, setTriggerValue },
  ) => {
    const former = places.get(parentElement)
    const view = former?.view ?? new Kind(parentElement)
    const draw = () => {
      Object.assign(view, { setStateValue, setTriggerValue })
      view.update(data)
    }
    /** @type {Drawn<Data>} */
    const drawn = { view, draw, ended: false, former }
    places.set(parentElement, drawn)
    draw()
    if ("host" in parentElement) parentElement.host.toggleAttribute("data-drawn", true)
    setTimeout(() => delete drawn.former)
    return () => {
      drawn.ended = true
      if (places.get(parentElement) !== drawn) return
      let newest = drawn.former
      while (newest?.ended) newest = newest.former
      if (newest && parentElement.isConnected) {
        places.set(parentElement, newest)
        newest.draw()
      } else {
        view.destroy()
        places.delete(parentElement)
      }
    }
  }
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string | null} [className]
 * @param {string} [text]
 */
export function element(tag, className, text) {
  const made = document.createElement(tag)
  if (className) made.className = className
  if (text !== undefined) made.textContent = text
  return made
}

/**
 * @param {string} label
 * @param {() => void} onclick
 * @param {string} [className]
 */
export function button(label, onclick, className) {
  const made = element("button", className, label)
  made.type = "button"
  made.onclick = onclick
  return made
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {string} [text]
 */
export function svg(tag, attributes = {}, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value))
  if (text !== undefined) made.textContent = text
  return made
}

/**
 * Change the text of an element that has nothing else in it. A text node that is taken out, even for
 * an equal one, ends the step that undo takes back in a field beside it (Chromium).
 * @param {Element} parent
 * @param {string} text
 */
export function reword(parent, text) {
  const node = parent.firstChild
  if (!(node instanceof Text)) parent.append(text)
  else if (node.data !== text) node.data = text
}

/**
 * Make `nodes` the children of `parent`, touching only those that come, go or move.
 * @param {Element} parent
 * @param {readonly Node[]} nodes
 */
export function arrange(parent, nodes) {
  const staying = new Set(nodes)
  for (let child = parent.firstChild; child;) {
    const following = child.nextSibling
    if (!staying.has(child)) child.remove()
    child = following
  }
  let at = parent.firstChild
  for (const node of nodes) {
    if (node === at) at = at.nextSibling
    else parent.insertBefore(node, at)
  }
}

/**
 * What elements stand for, as a token or a pair, to be found again from an event in them.
 * @template Value
 */
export class Meanings {
  /** @type {WeakMap<EventTarget, Value>} */
  #values = new WeakMap()

  /**
   * @param {Element} node
   * @param {Value} value
   */
  set(node, value) {
    this.#values.set(node, value)
  }

  /** @param {EventTarget | null | undefined} node */
  get(node) {
    return node ? this.#values.get(node) : undefined
  }

  /**
   * What the innermost element that has a meaning stands for, where an event happened.
   * @param {Event | null} event
   */
  at(event) {
    for (const node of event?.composedPath() ?? []) {
      const value = this.#values.get(node)
      if (value !== undefined) return value
    }
    return undefined
  }
}

/**
 * The element that has the keyboard in the component, or page, that `node` is in.
 * @param {Node} node
 */
export function focusedBeside(node) {
  const root = node.getRootNode()
  return root instanceof ShadowRoot || root instanceof Document ? root.activeElement : null
}

/**
 * Draw what is in `node` anew; the button that has the keyboard, known by its name, keeps it.
 * @param {Element} node
 * @param {() => void} draw
 */
export function redraw(node, draw) {
  const focused = focusedBeside(node)
  const name = focused && node.contains(focused) ? nameOf(focused) : null
  draw()
  const again = name && [...node.querySelectorAll("button")].find((made) => nameOf(made) === name)
  if (again) again.focus({ preventScroll: true })
}

/** @param {Element} node */
const nameOf = (node) => node.getAttribute("aria-label") ?? node.textContent

/**
 * Where a key leads that goes along a line of `last + 1` places.
 * @param {string} key
 * @param {number} at
 * @param {number} last
 * @returns {number | undefined}
 */
export function placeByKey(key, at, last) {
  return { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[key]
}
