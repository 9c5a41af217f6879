// What every component of ours begins with: a view for each place, and elements by one call.

/** Return a component that keeps one `View` for each place that it is drawn in. */
function mounted(View) {
  const instances = new WeakMap()
  return ({ parentElement, data, setStateValue, setTriggerValue }) => {
    let view = instances.get(parentElement)
    if (!view) instances.set(parentElement, (view = new View(parentElement)))
    Object.assign(view, { setStateValue, setTriggerValue })
    view.update(data)
    return () => {
      view.destroy()
      instances.delete(parentElement)
    }
  }
}

function element(tag, className, text) {
  const made = document.createElement(tag)
  if (className) made.className = className
  if (text !== undefined) made.textContent = text
  return made
}

function button(label, onclick) {
  const made = element("button", null, label)
  made.type = "button"
  made.onclick = onclick
  return made
}
