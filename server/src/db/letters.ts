/** Letters that MySQL's collation tells from those without the mark; of all others of Europe it does not see marks. */
const apart = new Set('йўїѓќ')
const marks = /[\u0300-\u036f]/g
/** What each letter is compared as, once it was asked for: lists ask for the same ones again and again. */
const known = new Map<string, string>()

const comparedAs = (letter: string): string => {
  let plain = known.get(letter)
  if (plain === undefined) {
    plain = apart.has(letter) ? letter : letter.normalize('NFD').replace(marks, '').normalize('NFC').replace('ς', 'σ')
    known.set(letter, plain)
  }
  return plain
}

/**
 * Text as MySQL's `utf8mb4_unicode_ci` compares it: small letters without marks, so that Ä is a. SQLite by itself knows
 * the letters of ASCII alone; it gets this under a name that MySQL has already, so that one statement serves both.
 */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\0-\x7f]/gu, comparedAs)
