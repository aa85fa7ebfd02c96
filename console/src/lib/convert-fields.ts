const toText = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const toNumber = (value: unknown): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

export interface FieldTypes {
  text: readonly string[]
  numbers: readonly string[]
}

/**
 * Converts the fields of a row to the types of the contract, because a v1 server returns what a voice server has written.
 * Missing fields stay missing.
 */
export const convertFields = <Row extends object>(row: Row, { text, numbers }: FieldTypes): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (text.includes(name)) return [name, toText(value)]
      return [name, numbers.includes(name) ? toNumber(value) : value]
    }),
  ) as Row
