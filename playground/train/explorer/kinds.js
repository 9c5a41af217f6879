// What there is to say of a token: its kind, the script of its letters, how many characters it has.

export const PART = 0 // bytes that are not all whole characters
export const HANZI = 1 // one 汉字
export const HANZIS = 2 // several 汉字 and nothing else
export const REST = 3
export const KINDS = [PART, HANZI, HANZIS, REST]

/** @type {readonly Script[]} */
export const SCRIPTS = ["han", "latin", "mixed", "digits", "signs", "space", "other", "part"]
/** @typedef {"han" | "latin" | "mixed" | "digits" | "signs" | "space" | "other" | "part"} Script */

export const LENGTHS = 5 // 1, 2, 3, 4, 5 and more characters

const HAN = /\p{Script=Han}/u

/** @param {string | null} text null where a character is broken */
export function kindOf(text) {
  if (text === null) return PART
  const characters = [...text]
  if (!characters.length || !characters.every((sign) => HAN.test(sign))) return REST
  return characters.length === 1 ? HANZI : HANZIS
}

/**
 * The script of the letters, or without any, what there is instead.
 * @param {string | null} text null where a character is broken
 * @returns {Script}
 */
export function scriptOf(text) {
  if (text === null) return "part"
  const letters = [...text].filter((sign) => /[\p{L}\p{M}]/u.test(sign))
  if (letters.length) {
    if (letters.every((sign) => HAN.test(sign))) return "han"
    if (letters.every((sign) => /\p{Script=Latin}|\p{M}/u.test(sign))) return "latin"
    return letters.some((sign) => HAN.test(sign)) ? "mixed" : "other"
  }
  if (/\p{N}/u.test(text)) return "digits"
  return /\S/u.test(text) ? "signs" : "space"
}
