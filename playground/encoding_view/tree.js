// The tree of an encoding: which node each step makes, and how high it stands.

/**
 * The symbols before a merge: how many bytes each has, the ranks of neighbours, null for none, and
 * the place and the rank of the pair to be merged, null at the end.
 * @typedef {{
 *   sizes: number[], ranks: (number | null)[], place: number | null, rank: number | null
 * }} Step
 */
/**
 * A symbol from byte `start` to before `end`, there after `step` steps, over leaves of height 0.
 * @typedef {{start: number, end: number, step: number, height: number, rank: number | null}} TreeNode
 */

/**
 * The symbols at the start, and those that the steps make.
 * @param {readonly Step[]} steps
 */
export function treeOf(steps) {
  const spans = boundaries(steps[0].sizes)
  /** @type {TreeNode[]} */
  const nodes = steps[0].sizes.map((_, at) => (
    { start: spans[at], end: spans[at + 1], step: 0, height: 0, rank: null }
  ))
  const heights = new Map(nodes.map(({ start, end }) => [`${start}-${end}`, 0]))
  const heightOf = (/** @type {number} */ start, /** @type {number} */ end) =>
    heights.get(`${start}-${end}`) ?? 0
  steps.forEach(({ sizes, place, rank }, step) => {
    if (place === null) return
    const [start, middle, end] = boundaries(sizes).slice(place, place + 3)
    const height = 1 + Math.max(heightOf(start, middle), heightOf(middle, end))
    heights.set(`${start}-${end}`, height)
    nodes.push({ start, end, step: step + 1, height, rank })
  })
  return nodes
}

/**
 * Where symbols of so many bytes begin, and where the last one ends.
 * @param {readonly number[]} sizes
 */
export function boundaries(sizes) {
  const found = [0]
  for (const size of sizes) found.push(found[found.length - 1] + size)
  return found
}
