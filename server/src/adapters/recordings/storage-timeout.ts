/** Creates the timeout signal of a storage operation for which a request waits. */
export const createStorageTimeoutSignal = () => AbortSignal.timeout(15_000)
