/** Something outside does not answer. The message says what to do about it; the same call may succeed later. */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable'
}

/** Nothing more can be kept: the disk is full, read-only or damaged. An operator has to act. */
export class StorageFull extends Unavailable {}
