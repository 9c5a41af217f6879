// What every component of ours begins with: a view for each place, and elements by one call.

/** Return a component that keeps one `View` for each place that it is drawn in. */
export function mounted(View) {
  const instances = new WeakMap()
  return ({ parentElement, data, setStateValue, setTriggerValue }) => {
    let view = instances.get(parentElement)
    if (!view) instances.set(parentElement, view = new View(parentElement))
    Object.assign(view, { setStateValue, setTriggerValue })
    view.update(data)
    return () => {
      view.destroy()
      instances.delete(parentElement)
    }
  }
}

export function element(tag, className, text) {
  const made = document.createElement(tag)
  if (className) made.className = className
  if (text !== undefined) made.textContent = text
  return made
}

export function button(label, onclick) {
  const made = element("button", null, label)
  made.type = "button"
  made.onclick = onclick
  return made
}

/** Make `nodes` the children of `parent`, touching only those that come, go or move. */
export function arrange(parent, nodes) {
  const kept = new Set(nodes)
  for (let child = parent.firstChild; child;) {
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

export function svg(tag, attributes = {}) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  return made
}
