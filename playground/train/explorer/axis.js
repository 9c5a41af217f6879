// The axis of merges, from 0 to 1: early merges change most, and have more room.

const LINEAR = 300 // up to so many merges, all have the same room

/**
 * Where merge `done` of `last` stands.
 * @param {number} done
 * @param {number} last
 */
export function scaled(done, last) {
  if (last > LINEAR) return Math.sqrt(done / last)
  return last ? done / last : 0
}

/**
 * The merge that stands at a place.
 * @param {number} place
 * @param {number} last
 */
export const unscaled = (place, last) => Math.round((last > LINEAR ? place * place : place) * last)
