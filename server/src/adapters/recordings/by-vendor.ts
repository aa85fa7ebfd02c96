import { messages } from '@trunkline/contract/messages/bucket'
import { StorageFault, type RecordingsOf } from '../../ports/recordings'
import { azureRecordings } from './azure'
import { gcsRecordings } from './gcs'
import { s3Recordings } from './s3'

/** The storage that a credential names. The vendors' kits load with their first use. */
export const recordingsByVendor: RecordingsOf = async (credential, account_sid) => {
  if (credential.vendor === 'azure') return azureRecordings(credential)
  if (credential.vendor === 'google') return gcsRecordings(credential)
  if (credential.vendor === 'aws_s3' || credential.vendor === 's3_compatible')
    return s3Recordings(credential, account_sid)
  throw new StorageFault(messages.untestable(credential.vendor))
}
