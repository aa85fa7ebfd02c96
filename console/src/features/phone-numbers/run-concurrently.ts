/** The maximum number of concurrent requests, for servers that update one number per request. */
const maxConcurrentRequests = 4

/** Processes all items, a few at a time. Continues after an error, and throws the first error at the end. */
export const runConcurrently = async <Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<unknown>,
): Promise<void> => {
  const queue = [...items]
  const failures: unknown[] = []
  const runQueue = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift())
      await run(item).catch((error: unknown) => failures.push(error))
  }
  await Promise.all(Array.from({ length: Math.min(maxConcurrentRequests, items.length) }, runQueue))
  if (failures.length > 0) throw failures[0]
}
