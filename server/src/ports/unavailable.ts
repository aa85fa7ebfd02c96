/** Something outside does not answer. The message says what to do about it; the same call may succeed later. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
}
