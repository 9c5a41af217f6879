// A view over the whole screen, in type that one reads from the last row.

import { button } from "./elements.js"

/**
 * A button that shows a view as large as the screen; pressed again, or by Esc, as it was. A frame may
 * forbid the whole screen: then the view covers what the frame has.
 * @param {HTMLElement} view
 */
export function largeButton(view) {
  const made = button("", async () => {
    if (document.fullscreenElement) return document.exitFullscreen()
    if (view.popover) return view.hidePopover()
    try {
      await view.requestFullscreen()
    } catch {
      view.popover = "auto"
      view.showPopover()
    }
  }, "enlarge")
  const drawn = () => {
    const large = view.matches(":fullscreen, :popover-open")
    if (!large) view.popover = null
    view.classList.toggle("large", large)
    made.setAttribute("aria-pressed", String(large))
  }
  view.addEventListener("fullscreenchange", drawn)
  view.addEventListener("toggle", (event) => event.target === view && drawn())
  drawn()
  return made
}
