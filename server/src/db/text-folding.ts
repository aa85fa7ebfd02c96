/** Letters that MySQL's collation tells from those without the mark; of all others of Europe it does not see marks. */
const distinctLetters = new Set('йўїѓќ')
const combiningMarks = /[\u0300-\u036f]/g
/** What each letter is compared as, once it was asked for: lists ask for the same ones again and again. */
const baseLetters = new Map<string, string>()

const baseLetterOf = (letter: string): string => {
  let base = baseLetters.get(letter)
  if (base === undefined) {
    base = distinctLetters.has(letter)
      ? letter
      : letter.normalize('NFD').replace(combiningMarks, '').normalize('NFC').replace('ς', 'σ')
    baseLetters.set(letter, base)
  }
  return base
}

/**
 * Text as MySQL's `utf8mb4_unicode_ci` compares it: small letters without marks, so that Ä is a. SQLite by itself knows
 * the letters of ASCII alone; it gets this under a name that MySQL has already, so that one statement serves both.
 */
export const foldText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\0-\x7f]/gu, baseLetterOf)
