import { isRecordingUrl } from '@trunkline/contract/calls/recording'
import type { Measurement, Point } from '../ports/call-history'
import type { Refused } from './ownership'

const refusal = 'recording_url is neither the recording path of this call nor an absolute http(s) address'

/**
 * A point, unless it is a call record with a `recording_url` that must not be stored. Readers open that address with rights that
 * its writer may not have, so it has to be the recording of the same call, or an address outside of the API.
 */
export const withRecordingUrl = (kept: Measurement, point: Point): Point | Refused => {
  const { recording_url = '', call_sid } = point.fields
  if (kept !== 'cdrs' || recording_url === '') return point
  const call = { ...point.tags, call_sid: String(call_sid) }
  return isRecordingUrl(String(recording_url), call) ? point : { refused: refusal }
}
