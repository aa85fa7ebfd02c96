/** Converts digits to a number and an empty text to null. Leaves other text as typed, for validation to reject. */
export const parseNumber = (input: string): number | string | null => {
  const text = input.trim()
  if (text === '') return null
  return /^-?\d{1,15}$/.test(text) ? Number(text) : input
}
