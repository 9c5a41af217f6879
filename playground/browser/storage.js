// What a tab, or the browser, stores for when it is loaded again. Without storage nothing.

/** Where texts are stored. @typedef {"sessionStorage" | "localStorage"} Place */

/**
 * @param {string} name
 * @param {Place} [place]
 */
export function stored(name, place = "sessionStorage") {
  try {
    return globalThis[place].getItem(name)
  } catch {
    return null
  }
}

/**
 * Store a text; null removes it.
 * @param {string} name
 * @param {string | null} text
 * @param {Place} [place]
 */
export function store(name, text, place = "sessionStorage") {
  try {
    if (text === null) globalThis[place].removeItem(name)
    else globalThis[place].setItem(name, text)
  } catch {
    // A loaded page begins anew.
  }
}
