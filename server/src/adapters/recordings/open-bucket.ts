import { messages } from '@trunkline/contract/messages/bucket'
import { StorageError, type OpenObjectStorage } from '../../ports/object-storage'
import { openAzureStorage } from './azure'
import { openGcsStorage } from './gcs'
import { openS3Storage } from './s3'

export interface BucketOptions {
  /** Whether buckets may be in private networks, on servers that customers run. */
  allowPrivateTargets: boolean
}

/** Creates a function that opens the bucket of a credential. Vendor SDKs are loaded on first use. */
export const createBucketOpener =
  (options: BucketOptions): OpenObjectStorage =>
  async (credential, account_sid) => {
    if (credential.vendor === 'azure') return openAzureStorage(credential, options)
    // Only Google's own URLs are used, so no address needs to be checked.
    if (credential.vendor === 'google') return openGcsStorage(credential)
    if (credential.vendor === 'aws_s3' || credential.vendor === 's3_compatible')
      return openS3Storage(credential, account_sid, options)
    throw new StorageError(messages.unsupportedVendor(credential.vendor))
  }
