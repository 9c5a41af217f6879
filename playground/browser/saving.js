// A chart as a file on the reader's disk.

const TYPES = { PNG: "image/png", SVG: "image/svg+xml", CSV: "text/csv" }

/** Save a chart as a file of a kind, called by its title. What is saved is a picture, that is
 *  {width, height, text} with the text of an SVG, or the lines of a CSV. */
export async function save(kind, title, content) {
  const name = title.replace(/[\\/:*?"<>|\s]+/g, " ").slice(0, 80).trim()
  const blob = kind === "PNG"
    ? await asPng(content)
    : new Blob([content.text ?? content], { type: TYPES[kind] })
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = `${name}.${kind.toLowerCase()}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10000)
}

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
  const context = canvas.getContext("2d")
  context.scale(2, 2)
  context.drawImage(image, 0, 0, width, height)
  return new Promise((done) => canvas.toBlob(done, TYPES.PNG))
}
