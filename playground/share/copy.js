// A button that copies a link, and the link itself to be copied by hand: a page without https, or one
// that another page embeds, may not write to the clipboard.

const COPIED = 2500 // ms that the button says so

const element = (tag, properties) => Object.assign(document.createElement(tag), properties)

export default function ({ data, parentElement, setStateValue }) {
  const steps = stepsShown()
  const whole = JSON.stringify(steps) === JSON.stringify(data.steps)
  if (!whole) setStateValue("steps", steps) // the answer has the link
  let root = parentElement.querySelector(".copy")
  if (!root) {
    root = element("div", { className: "copy" })
    const button = element("button", { type: "button" })
    const field = element("input", { type: "text", readOnly: true })
    const said = element("p", { className: "said" })
    said.setAttribute("role", "status")
    field.addEventListener("focus", () => field.select())
    root.append(button, field, said)
    parentElement.append(root)
  }
  const [button, field, said] = root.children
  const { labels } = data
  const link = data.link.startsWith("?")
    ? location.origin + location.pathname + data.link
    : data.link
  field.value = whole ? link : ""
  button.disabled = !whole
  field.setAttribute("aria-label", labels.field)
  button.textContent = labels.copy
  said.textContent = ""
  button.onclick = async () => {
    if (await copied(link, field)) {
      button.textContent = labels.copied
      setTimeout(() => (button.textContent = labels.copy), COPIED)
    } else {
      field.focus()
      field.select()
      said.textContent = labels.byHand
    }
  }
}

/** Where the sliders of the pictures stand, which the server does not know. */
function stepsShown() {
  const pictures = [...document.querySelectorAll("[data-step-of]")]
  return pictures.map(({ dataset }) => [dataset.stepOf, dataset.version, Number(dataset.step)])
}

async function copied(link, field) {
  try {
    await navigator.clipboard.writeText(link)
    return true
  } catch {
    field.select()
    try {
      return document.execCommand("copy")
    } catch {
      return false
    }
  }
}
