/** An external service does not respond. The message says what to do. The same request may succeed later. */
export class UnavailableError extends Error {
  override readonly name: string = 'UnavailableError'
}

/** The disk is full, read-only or damaged. An operator has to act. */
export class StorageFullError extends UnavailableError {}
