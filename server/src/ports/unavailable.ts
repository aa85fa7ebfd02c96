/** An external service does not respond. The message says what to do. The same request may succeed later. */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable'
}

/** The disk is full, read-only or damaged. An operator has to act. */
export class StorageFull extends Unavailable {}
