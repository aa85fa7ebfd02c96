/** The keys of rows, no two alike: a server may say twice what should tell a row from all others. */
export const keysOf = <Row>(rows: readonly Row[], rowKey: (row: Row) => string): string[] => {
  const taken = new Set<string>()
  return rows.map((row) => {
    const own = rowKey(row)
    let key = own
    for (let count = 2; taken.has(key); count += 1) key = `${own} ${count}`
    taken.add(key)
    return key
  })
}

/** The key of the row that is called so, by its key or else by its alias; undefined where there is none. */
export const openedBy = (
  called: string | undefined,
  keys: readonly string[],
  aliases: readonly (string | null | undefined)[] = [],
): string | undefined => {
  if (!called) return undefined
  return keys.includes(called) ? called : keys[aliases.indexOf(called)]
}
