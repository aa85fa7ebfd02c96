/** Converts a phone number to the form in which numbers are compared: in lower case, without a leading plus. */
export const toComparableNumber = (number: string): string => number.toLowerCase().replace(/^\+/, '')
