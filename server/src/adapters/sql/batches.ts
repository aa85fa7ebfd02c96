/** Splits rows into batches for one statement each, because engines refuse statements that are too long. */
export const splitBatches = <Row>(
  rows: readonly Row[],
  sizeOf: (row: Row) => number,
  limits: { rows: number; bytes: number },
): Row[][] => {
  const batches: Row[][] = []
  let bytes = 0
  for (const row of rows) {
    const last = batches.at(-1)
    bytes += sizeOf(row)
    if (last && last.length < limits.rows && bytes <= limits.bytes) last.push(row)
    else {
      batches.push([row])
      bytes = sizeOf(row)
    }
  }
  return batches
}
