/** Splits rows into batches for one statement each, because engines refuse statements that are too long. */
export const splitBySize = <Row>(
  rows: readonly Row[],
  bytesOf: (row: Row) => number,
  { maxRows, maxBytes }: { maxRows: number; maxBytes: number },
): Row[][] => {
  const batches: Row[][] = []
  let batchBytes = 0
  for (const row of rows) {
    const batch = batches.at(-1)
    batchBytes += bytesOf(row)
    if (batch && batch.length < maxRows && batchBytes <= maxBytes) batch.push(row)
    else {
      batches.push([row])
      batchBytes = bytesOf(row)
    }
  }
  return batches
}

/** Handles items in batches, one batch after the other. */
export const forEachBatch = async <Item>(
  items: readonly Item[],
  batchSize: number,
  handleBatch: (batch: Item[]) => Promise<unknown>,
): Promise<void> => {
  for (let start = 0; start < items.length; start += batchSize) await handleBatch(items.slice(start, start + batchSize))
}
