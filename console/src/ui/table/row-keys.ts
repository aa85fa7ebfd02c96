/** Returns unique keys for the rows, because a server may repeat a key that should be unique. */
export const createRowKeys = <Row>(rows: readonly Row[], rowKey: (row: Row) => string): string[] => {
  const taken = new Set<string>()
  return rows.map((row) => {
    const own = rowKey(row)
    let key = own
    for (let count = 2; taken.has(key); count += 1) key = `${own} ${count}`
    taken.add(key)
    return key
  })
}

/** Returns the key of the row with this key or, failing that, this alias; undefined if no row matches. */
export const findOpenKey = (
  called: string | undefined,
  keys: readonly string[],
  aliases: readonly (string | null | undefined)[] = [],
): string | undefined => {
  if (!called) return undefined
  return keys.includes(called) ? called : keys[aliases.indexOf(called)]
}
