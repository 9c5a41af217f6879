// What all pictures of merges share: a place in the page, a slider, cards, and what these speak of.

/** @import { Card } from "./cards.js" */
/** @import { Code, CodeWords, Place } from "./code.js" */
/** @import { TransportWords } from "./transport.js" */
import { Cards } from "./cards.js"
import { CodePane, following, ranAt } from "./code.js"
import { element, View } from "./elements.js"
import { Transport } from "./transport.js"

/**
 * Whether a chip is what a `word` of a card names: its text, its bytes as "E4 B8", or the character
 * of these.
 * @param {Element} chip
 * @param {string} word
 */
function stands(chip, word) {
  const bytes = chip.querySelector(".hex")?.textContent ?? ""
  const text = bytes || (chip.firstChild?.nodeType === Node.TEXT_NODE ? textOf(chip) : "")
  return text === word || text === characterOf(word)
}

/** @param {Element} chip without what is written small beside its text */
const textOf = (chip) =>
  [...chip.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
    .map((node) => node.textContent).join("")

/** @param {string} word */
const characterOf = (word) =>
  /^[0-9A-F]{2}( [0-9A-F]{2})+$/.test(word)
    ? new TextDecoder().decode(Uint8Array.from(word.split(" "), (byte) => parseInt(byte, 16)))
    : null

/**
 * A picture overrides `show`, which draws a step, and `light`, for what is pointed at.
 * @template Data
 * @extends {View<Data>}
 */
export class Picture extends View {
  /** Which line ran last where the code was gone through line by line. @type {Place | null} */
  ran = null

  /**
   * @param {HTMLElement | ShadowRoot} parent
   * @param {string} className
   */
  constructor(parent, className) {
    super()
    this.root = element("div", `view ${className}`)
    parent.append(this.root)
    this.cards = new Cards((card) => this.turnTo(card))
    /** Where cards lead through the picture, the player is for those who want to go their own way. */
    this.player = element("details", "player")
    this.self = element("summary")
    this.transport = new Transport((step) => {
      this.show(step)
      this.run(this.ran?.step === step ? this.ran.part : undefined)
      this.link()
    })
    this.player.append(this.self, this.transport.node)
    this.code = new CodePane(
      () =>
        this.code.code && this.runTo(following(this.code.code.parts, this.lastRan(), this.last)),
      (part) => {
        const { parts } = /** @type {Code} */ (this.code.code)
        this.runTo(ranAt(parts, part, this.transport.step, this.last))
      },
    )
    this.root.addEventListener("keydown", (event) => {
      if (!this.player.hidden) this.transport.press(event)
    })
    this.root.addEventListener("pointerover", (event) => this.point(event))
    this.root.addEventListener("pointerleave", () => this.point(null))
    this.root.addEventListener("focusin", (event) => this.point(event))
  }

  /**
   * Light up what is pointed at; what a word of a card names, as if one pointed at that itself.
   * @param {Event | null} event
   */
  point(event) {
    const word = event?.target instanceof Element ? event.target.closest("[data-names]") : null
    const chip = word && this.named(word.textContent ?? "")[0]
    this.light(chip ? /** @type {any} */ ({ composedPath: () => [chip] }) : event)
    this.link()
  }

  /**
   * The chips that a word of a card names; "#12" is what merge 12 makes.
   * @param {string} word
   */
  named(word) {
    const merge = Number(word.match(/^#(\d+)$/)?.[1])
    const chips = [...this.root.querySelectorAll(".chip")]
    return chips.filter((chip) => merge ? this.madeBy(chip) === merge : stands(chip, word))
  }

  /**
   * The number of the merge that made what a chip stands for.
   * @param {Element} _chip
   * @returns {number | undefined}
   */
  madeBy(_chip) {
    return undefined
  }

  /** Give the words of the card the colours of what they name, and light those that are lit. */
  link() {
    for (const word of this.cards.node.querySelectorAll("code")) {
      const chips = this.named(word.textContent ?? "")
      const hue = chips.find((chip) => /\bhue/.test(chip.className)) ?? chips[0]
      const lit = chips.some((chip) => chip.classList.contains("lit"))
      word.className = `${hue?.className.match(/\bhue\d/)?.[0] ?? ""} ${lit ? "lit" : ""}`
      word.toggleAttribute("data-names", chips.length > 0)
      if (chips.length) word.tabIndex = 0
      else word.removeAttribute("tabindex")
    }
  }

  /**
   * Draw the cards, and what is written on the player, which is open where there are none.
   * @param {readonly Card[]} cards
   * @param {TransportWords} words
   */
  tell(cards, words) {
    this.cards.draw(cards, words)
    this.transport.name(words)
    this.self.textContent = cards.length ? words.self : ""
    this.self.hidden = !cards.length
    if (!cards.length) this.player.open = true
  }

  get last() {
    return this.transport.last
  }

  /** @returns {Place} */
  lastRan() {
    return { step: this.transport.step, part: this.code.part }
  }

  /**
   * Draw the code beside the picture, if there is any; the line that made the step is lit.
   * @param {Code | null | undefined} code
   * @param {CodeWords} words
   */
  drawCode(code, words) {
    this.code.draw(code ?? null, words)
    this.run(this.ran?.step === this.transport.step ? this.ran.part : undefined)
  }

  /** @param {Place} place */
  runTo(place) {
    this.ran = place
    if (place.step !== this.transport.step) this.transport.go(place.step)
    else this.run(place.part)
    this.focus({ text: "", part: place.part, step: null })
  }

  /** @param {string} [part] the line that ran last: by default the one that made the step */
  run(part) {
    const parts = this.code.code?.parts
    if (!parts) return
    const ran = part ?? parts[this.transport.step ? parts.length - 1 : 0]
    this.code.show(ran, this.gives(ran))
  }

  /**
   * What the line of a part has given.
   * @param {string} _part
   * @returns {(string | Node)[]}
   */
  gives(_part) {
    return []
  }

  destroy() {
    this.transport.destroy()
    this.root.remove()
  }

  /** @param {number} _step */
  show(_step) {}

  /** @param {Event | null} _event */
  light(_event) {}

  /**
   * Bring up what a card speaks of.
   * @param {Card} card
   */
  turnTo(card) {
    this.focus(card)
    if (card.part === "transport") this.player.open = true
    if (card.step !== null && !this.player.hidden) this.transport.go(card.step)
  }

  /** @param {Card | undefined} card */
  focus(card) {
    for (const node of this.root.querySelectorAll("[data-part]")) {
      node.classList.toggle("spoken-of", node.getAttribute("data-part") === card?.part)
    }
    queueMicrotask(() => this.link()) // when all is drawn
  }
}
