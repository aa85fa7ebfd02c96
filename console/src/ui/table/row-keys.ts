/** Returns unique keys for the rows, because a server may repeat a key that should be unique. */
export const createRowKeys = <Row>(rows: readonly Row[], rowKey: (row: Row) => string): string[] => {
  const usedKeys = new Set<string>()
  return rows.map((row) => {
    const baseKey = rowKey(row)
    let key = baseKey
    for (let count = 2; usedKeys.has(key); count += 1) key = `${baseKey} ${count}`
    usedKeys.add(key)
    return key
  })
}

/** Returns the key of the row with this key or, failing that, this alternate key; undefined if no row matches. */
export const findOpenKey = (
  requestedKey: string | undefined,
  keys: readonly string[],
  alternateKeys: readonly (string | null | undefined)[] = [],
): string | undefined => {
  if (!requestedKey) return undefined
  return keys.includes(requestedKey) ? requestedKey : keys[alternateKeys.indexOf(requestedKey)]
}
