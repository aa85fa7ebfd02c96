import { messages } from '@trunkline/contract/messages/bucket'
import { StorageError, type OpenObjectStorage } from '../../ports/object-storage'
import { azureStorage } from './azure'
import { gcsStorage } from './gcs'
import { s3Storage } from './s3'

export interface BucketOptions {
  /** Allows buckets in private networks, for servers that customers run. */
  privateTargets: boolean
}

/** Opens the storage of a credential. Vendor SDKs are loaded on first use. */
export const openBucketByVendor =
  (options: BucketOptions): OpenObjectStorage =>
  async (credential, account_sid) => {
    if (credential.vendor === 'azure') return azureStorage(credential, options)
    // Google credentials contain no host, so no address needs to be checked.
    if (credential.vendor === 'google') return gcsStorage(credential)
    if (credential.vendor === 'aws_s3' || credential.vendor === 's3_compatible')
      return s3Storage(credential, account_sid, options)
    throw new StorageError(messages.testUnsupported(credential.vendor))
  }
