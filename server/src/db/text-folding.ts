/** Letters that MySQL's collation distinguishes from the letter without the mark. It ignores marks on all other European letters. */
const distinctLetters = new Set('йўїѓќ')
const combiningMarks = /[\u0300-\u036f]/g
/** A cache, because lists compare the same letters again and again. */
const baseLetters = new Map<string, string>()

const baseLetterOf = (letter: string): string => {
  let baseLetter = baseLetters.get(letter)
  if (baseLetter === undefined) {
    baseLetter = distinctLetters.has(letter)
      ? letter
      : letter.normalize('NFD').replace(combiningMarks, '').normalize('NFC').replace('ς', 'σ')
    baseLetters.set(letter, baseLetter)
  }
  return baseLetter
}

/**
 * Folds text as MySQL's `utf8mb4_unicode_ci` compares it: lower case without accents, so that Ä equals a. SQLite folds only
 * ASCII; it gets this function under the name of a MySQL function, so that one statement works on both engines.
 */
export const foldText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\0-\x7f]/gu, baseLetterOf)
