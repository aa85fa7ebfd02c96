/** A stored number as people write it: American ones as (area) prefix-line, other international ones with their plus. */
export const sayNumber = (number: string): string => {
  const digits = number.replace(/^\+/, '')
  const american = /^1(\d{3})(\d{3})(\d{4})$/.exec(digits)
  if (american) return `(${american[1]}) ${american[2]}-${american[3]}`
  return /^[2-9]\d{10,14}$/.test(digits) ? `+${digits}` : number
}

/** What people write between digits. */
const between = /[\s()./-]/g

/** The number in what a person typed or pasted: without the signs that only make it readable. */
export const plainNumber = (typed: string): string => {
  const bare = typed.trim().replace(between, '')
  return /^\+?\d+$/.test(bare) ? bare : typed.trim()
}

/** As servers keep a number: without the plus in front. */
export const storedNumber = (number: string): string => number.replace(/^\++/, '')

/** The beginning of an IPv4 address, or all of it: SIP URIs are looked for by theirs. */
const isAddress = (typed: string): boolean =>
  /^\d+(\.\d+){1,3}\.?$/.test(typed) && typed.split('.').every((part) => Number(part) <= 255)

/** The digits by which a number is looked for, however it is dressed; undefined for what is no number. */
export const soughtNumber = (typed: string): string | undefined => {
  const digits = storedNumber(plainNumber(typed))
  return /^\d+$/.test(digits) && !isAddress(typed.trim()) ? digits : undefined
}

/** Fewer digits, with nothing about them that only numbers have, may as well be a piece of a name: 1-100. */
const surelyNumber = 6
/** Fewer digits stand in most numbers. */
export const fewestDigits = 3

/** What calls are looked for by: a number as it is kept, and any other text as it was typed. */
export const soughtInCalls = (typed: string): string => {
  const digits = soughtNumber(typed)
  return digits && digits.length >= (/^\s*[(+]/.test(typed) ? fewestDigits : surelyNumber) ? digits : typed
}
