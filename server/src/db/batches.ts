/** Engines and drivers limit the number of placeholders of a statement. */
const maxBatchSize = 500

/** Splits a list of rows or keys into parts, each small enough for one statement. */
export const splitIntoBatches = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / maxBatchSize) }, (_, index) =>
    items.slice(index * maxBatchSize, (index + 1) * maxBatchSize),
  )
