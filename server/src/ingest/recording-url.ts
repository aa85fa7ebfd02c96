import { isRecordingUrl } from '@trunkline/contract/calls/recording'
import type { Measurement, Point } from '../ports/call-history'
import type { RejectedPoint } from './point-owner'

const refusal = 'recording_url is neither the recording path of this call nor an absolute http(s) URL'

/**
 * Rejects a call record with a `recording_url` that must not be stored. Readers open this URL with permissions that its writer
 * may not have, so it must be the recording of the same call, or a URL outside the API.
 */
export const checkRecordingUrl = (measurement: Measurement, point: Point): Point | RejectedPoint => {
  const { recording_url = '', call_sid } = point.fields
  if (measurement !== 'cdrs' || recording_url === '') return point
  const call = { ...point.tags, call_sid: String(call_sid) }
  return isRecordingUrl(String(recording_url), call) ? point : { rejection: refusal }
}
