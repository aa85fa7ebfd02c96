/** A stored number as people write it: American ones as (area) prefix-line, other international ones with their plus. */
export const sayNumber = (number: string): string => {
  const digits = number.replace(/^\+/, '')
  const american = /^1(\d{3})(\d{3})(\d{4})$/.exec(digits)
  if (american) return `(${american[1]}) ${american[2]}-${american[3]}`
  return /^[2-9]\d{10,14}$/.test(digits) ? `+${digits}` : number
}

/** The number in what a person typed or pasted: without the signs that only make it readable. */
export const plainNumber = (typed: string): string => {
  const bare = typed.trim().replace(/[\s().-]/g, '')
  return /^\+?\d+$/.test(bare) ? bare : typed.trim()
}

/** As servers keep a number: without the plus in front. */
export const storedNumber = (number: string): string => number.replace(/^\++/, '')
