import { stripPunctuation, toStoredNumber } from './phone-number'

/** Is this an IPv4 address or the start of one? Users search SIP URIs by them. */
const isIpv4Prefix = (input: string): boolean =>
  /^\d+(\.\d+){1,3}\.?$/.test(input) && input.split('.').every((part) => Number(part) <= 255)

/** The digits to search for, in any notation of a number. Undefined if the text is not a number. */
export const toSearchNumber = (input: string): string | undefined => {
  const digits = toStoredNumber(stripPunctuation(input))
  return /^\d+$/.test(digits) && !isIpv4Prefix(input.trim()) ? digits : undefined
}

/** Text with fewer digits and without a leading plus or parenthesis may be a name, such as 1-100. */
const minUnambiguousDigits = 6
/** A search for fewer digits would match most numbers. */
export const minSearchDigits = 3

/** ITU country calling codes: one digit, two digits, otherwise three. */
const callingCode = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/
/** A search for fewer digits, without their country code, would match too many numbers. */
const minNationalDigits = 7
/** '(0)' after a country code is dialed only inside the country: +44 (0)20 7946 0123. */
const trunkPrefix = /^(\s*(?:\+|00)[\d\s]{1,5})\(0\)/

/**
 * The digits that all notations of a number share, so that a search finds it in any stored format: 020 7946 0123, +44
 * (0)20 7946 0123 and 0044 20 7946 0123 all give 2079460123. Undefined if the text is not a number.
 */
export const toSearchDigits = (input: string): string | undefined => {
  const digits = toSearchNumber(input.replace(trunkPrefix, '$1'))
  if (digits === undefined) return undefined
  const isInternational = /^\s*(?:\+|00)/.test(input)
  const significantDigits = digits.replace(/^0+/, '')
  if (isInternational) {
    const nationalNumber = significantDigits.replace(callingCode, '')
    return nationalNumber.length >= minNationalDigits ? nationalNumber : significantDigits
  }
  return significantDigits.length >= minUnambiguousDigits ? significantDigits : digits
}

/** The search text for calls on a server that finds a number in every notation (capability `callSearch`). */
export const toCallSearchText = (input: string): string => {
  const digits = toSearchDigits(input)
  return digits && digits.length >= (/^\s*[(+]/.test(input) ? minSearchDigits : minUnambiguousDigits)
    ? digits
    : input.trim()
}

/** The search text for calls on other servers, which compare text: a number in its stored format, other text as typed. */
export const toCallFilterText = (input: string): string => {
  const digits = toSearchNumber(input)
  return digits && digits.length >= (/^\s*[(+]/.test(input) ? minSearchDigits : minUnambiguousDigits) ? digits : input
}
