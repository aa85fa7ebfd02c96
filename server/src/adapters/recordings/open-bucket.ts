import { messages } from '@trunkline/contract/messages/bucket'
import { StorageError, type OpenRecordingStore } from '../../ports/recordings'
import { azureRecordings } from './azure'
import { gcsRecordings } from './gcs'
import { s3Recordings } from './s3'

export interface BucketOptions {
  /** Buckets may be at addresses in private networks: those of servers that a customer runs. */
  privateTargets: boolean
}

/** Opens the storage that a credential names. The vendors' kits load with their first use. */
export const recordingsByVendor =
  (options: BucketOptions): OpenRecordingStore =>
  async (credential, account_sid) => {
    if (credential.vendor === 'azure') return azureRecordings(credential, options)
    // the credential of a Google bucket names no host
    if (credential.vendor === 'google') return gcsRecordings(credential)
    if (credential.vendor === 'aws_s3' || credential.vendor === 's3_compatible')
      return s3Recordings(credential, account_sid, options)
    throw new StorageError(messages.untestable(credential.vendor))
  }
