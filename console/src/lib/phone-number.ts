/** Formats a stored number for display: US numbers as (area) prefix-line, other international numbers with a plus. */
export const formatPhoneNumber = (number: string): string => {
  const digits = number.replace(/^\+/, '')
  const northAmericanParts = /^1(\d{3})(\d{3})(\d{4})$/.exec(digits)
  if (northAmericanParts) return `(${northAmericanParts[1]}) ${northAmericanParts[2]}-${northAmericanParts[3]}`
  return /^[2-9]\d{10,14}$/.test(digits) ? `+${digits}` : number
}

/** Formats a stored number in E.164 with a plus, if it is an international one. */
export const toDialableNumber = (number: string): string => {
  const digits = number.replace(/^\+/, '')
  return /^(?:1\d{10}|[2-9]\d{10,14})$/.test(digits) ? `+${digits}` : number
}

/** Punctuation between digits. */
const punctuation = /[\s()./-]/g

/** Removes spaces and punctuation from a typed or pasted number. Returns other text trimmed. */
export const stripPunctuation = (input: string): string => {
  const digits = input.trim().replace(punctuation, '')
  return /^\+?\d+$/.test(digits) ? digits : input.trim()
}

/** Converts a number to the stored format: no leading plus. */
export const toStoredNumber = (number: string): string => number.replace(/^\++/, '')
