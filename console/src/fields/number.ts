/** Digits become a number, nothing becomes null; what is neither stays as typed, for the rules to refuse. */
export const asNumber = (typed: string): number | string | null => {
  const text = typed.trim()
  if (text === '') return null
  return /^-?\d{1,15}$/.test(text) ? Number(text) : typed
}
