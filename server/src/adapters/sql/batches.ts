/** As many rows as one statement takes, and the rest: engines refuse statements that are too long. `most`: rows and bytes of one. */
export const statementsOf = <Row>(
  rows: readonly Row[],
  sizeOf: (row: Row) => number,
  most: { rows: number; bytes: number },
): Row[][] => {
  const statements: Row[][] = []
  let bytes = 0
  for (const row of rows) {
    const last = statements.at(-1)
    bytes += sizeOf(row)
    if (last && last.length < most.rows && bytes <= most.bytes) last.push(row)
    else {
      statements.push([row])
      bytes = sizeOf(row)
    }
  }
  return statements
}
