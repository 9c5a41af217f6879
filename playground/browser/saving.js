// A chart as a file on the reader's disk.

import { button, element } from "./elements.js"

/** The text of an SVG, and its size. @typedef {{width: number, height: number, text: string}} Drawn */

/** @type {Record<string, string>} */
export const TYPES = {
  PNG: "image/png",
  SVG: "image/svg+xml",
  CSV: "text/csv",
  MP4: "video/mp4",
  WebM: "video/webm",
}

/**
 * A ⋯ that opens into a button for each kind of file.
 * @param {Record<string, string>} labels what each does, and the menu
 * @param {string} title of the chart
 * @param {(kind: string) => unknown} save which may take its time
 * @param {readonly string[]} [kinds]
 */
export function menu(labels, title, save, kinds = ["PNG", "SVG", "CSV"]) {
  const box = element("details", "save")
  const dots = element("summary", null, "⋯")
  dots.title = labels.menu
  dots.setAttribute("aria-label", `${labels.menu}: ${title}`)
  const links = kinds.map((kind) => {
    const link = button(kind, async () => {
      box.open = false
      dots.textContent = "●"
      try {
        await save(kind)
      } finally {
        dots.textContent = "⋯"
      }
    })
    link.setAttribute("aria-label", `${labels[kind]}: ${title}`)
    return link
  })
  box.append(dots, ...links)
  return box
}

/**
 * Save a chart as a file, called by its title.
 * @param {string} kind "PNG", "SVG" or "CSV"
 * @param {string} title
 * @param {Drawn | string} content a picture, or the lines of a CSV
 */
export async function save(kind, title, content) {
  const name = title.replace(/[\\/:*?"<>|\s]+/g, " ").slice(0, 80).trim()
  const text = typeof content === "string" ? content : content.text
  const blob = kind === "PNG" && typeof content !== "string"
    ? await asPng(content)
    : new Blob([text], { type: TYPES[kind] })
  download(blob, `${name}.${kind.toLowerCase()}`)
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
export function download(blob, name) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10000)
}

/**
 * @param {Drawn} picture
 * @returns {Promise<Blob>}
 */
async function asPng({ width, height, text }) {
  const image = new Image()
  const loaded = new Promise((done, failed) =>
    Object.assign(image, { onload: done, onerror: failed })
  )
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`
  await loaded
  const canvas = Object.assign(document.createElement("canvas"), {
    width: Math.ceil(width * 2),
    height: Math.ceil(height * 2),
  })
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"))
  context.scale(2, 2)
  context.drawImage(image, 0, 0, width, height)
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => blob ? done(blob) : failed(new Error("no PNG was made")), TYPES.PNG)
  )
}
