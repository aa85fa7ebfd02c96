/** A stored number as people write it: American ones as (area) prefix-line, other international ones with their plus. */
export const sayNumber = (number: string): string => {
  const digits = number.replace(/^\+/, '')
  const american = /^1(\d{3})(\d{3})(\d{4})$/.exec(digits)
  if (american) return `(${american[1]}) ${american[2]}-${american[3]}`
  return /^[2-9]\d{10,14}$/.test(digits) ? `+${digits}` : number
}

/** A stored number as programs take it: in E.164 with its plus, if it is an international one. */
export const dialableNumber = (number: string): string => {
  const digits = number.replace(/^\+/, '')
  return /^(?:1\d{10}|[2-9]\d{10,14})$/.test(digits) ? `+${digits}` : number
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

/** ITU country calling codes: of one digit, of two, and otherwise of three. */
const callingCode = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/
/** Fewer digits without their country code would match too many numbers. */
const minNationalDigits = 7
/** '(0)' after a country code is only dialled inside the country: +44 (0)20 7946 0123. */
const trunkPrefix = /^(\s*(?:\+|00)[\d\s]{1,5})\(0\)/

/**
 * The digits that a number has in each of its notations, so that they find it however it is stored: 020 7946 0123,
 * +44 (0)20 7946 0123 and 0044 20 7946 0123 all give 2079460123. Undefined for a text that is no number.
 */
export const searchDigits = (typed: string): string | undefined => {
  const digits = soughtNumber(typed.replace(trunkPrefix, '$1'))
  if (digits === undefined) return undefined
  const isInternational = /^\s*(?:\+|00)/.test(typed)
  const bare = digits.replace(/^0+/, '')
  if (isInternational) {
    const national = bare.replace(callingCode, '')
    return national.length >= minNationalDigits ? national : bare
  }
  return bare.length >= surelyNumber ? bare : digits
}

/** The text by which a server is asked that searches in both notations of a number. */
export const callSearchText = (typed: string): string => {
  const digits = searchDigits(typed)
  return digits && digits.length >= (/^\s*[(+]/.test(typed) ? fewestDigits : surelyNumber) ? digits : typed.trim()
}

/** What calls are looked for by: a number as it is kept, and any other text as it was typed. */
export const soughtInCalls = (typed: string): string => {
  const digits = soughtNumber(typed)
  return digits && digits.length >= (/^\s*[(+]/.test(typed) ? fewestDigits : surelyNumber) ? digits : typed
}
