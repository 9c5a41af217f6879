// What a tab keeps for when it is loaded again. Without storage, or beyond its size, nothing.

/** @param {string} name */
export function stored(name) {
  try {
    return sessionStorage.getItem(name)
  } catch {
    return null
  }
}

/**
 * Store a text; null removes what was stored.
 * @param {string} name
 * @param {string | null} text
 */
export function store(name, text) {
  try {
    if (text === null) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, text)
  } catch {
    // A loaded page begins anew.
  }
}
