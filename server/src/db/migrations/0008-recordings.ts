import { char, oneOf, sid, table } from '../columns'

/** Of which calls recordings are kept, here or in their account's bucket; a file or an object for each row. */
export const trunklineRecordings = table('trunkline_recordings', {
  account_sid: sid().primary(),
  call_sid: char(64).primary(),
  /** The day on which it began, as its address has it: `2026/11/22`. */
  day: char(10).primary(),
  format: oneOf('mp3', 'wav'),
})
