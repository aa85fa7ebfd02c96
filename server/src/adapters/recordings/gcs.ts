import { createPrivateKey } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { Bucket } from '@google-cloud/storage'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'
import { StorageError, type ObjectStorage } from '../../ports/object-storage'
import { withSignal, undefinedIfMissing, lowerCaseNames, parseSize } from './storage-errors'

const { failure: fault } = messages

const errorMessages: Record<string, string> = {
  401: fault.wrongSecret,
  403: fault.accessDenied,
  404: fault.noBucket,
}

interface Key {
  project_id?: string
  client_email?: string
  private_key: string
}

const parseKey = (text: string | null | undefined): Key => {
  try {
    const key = JSON.parse(text ?? '') as Key
    createPrivateKey(key.private_key)
    return key
  } catch {
    throw new StorageError(fault.malformedCredentials)
  }
}

/** Uses only the project, address and private key: a key file may contain hosts, which must not be used. */
const bucketOf = async ({ name, service_key }: BucketCredential, apiEndpoint?: string): Promise<Bucket> => {
  const { IdempotencyStrategy, Storage } = await import('@google-cloud/storage')
  const { project_id, client_email, private_key } = parseKey(service_key)
  if (!name) throw new StorageError(fault.noBucket)
  const storage = new Storage({
    ...(project_id ? { projectId: project_id } : {}),
    credentials: { private_key, ...(client_email ? { client_email } : {}) },
    retryOptions: { autoRetry: false, maxRetries: 0, idempotencyStrategy: IdempotencyStrategy.RetryNever },
    ...(apiEndpoint ? { apiEndpoint, useAuthWithCustomEndpoint: true } : {}),
  })
  // The key signs the token itself: one request less, and no other host.
  storage.authClient.useJWTAccessWithScope = true
  return storage.bucket(name)
}

/** A bucket of Google Cloud Storage. `apiEndpoint`: replaces Google's address, for tests. */
export const gcsStorage = async (credential: BucketCredential, apiEndpoint?: string): Promise<ObjectStorage> => {
  const bucket = await bucketOf(credential, apiEndpoint)
  return {
    async write(key, { stream, type, metadata }, signal) {
      const fileMetadata = { contentType: type, metadata }
      const upload = bucket.file(key).createWriteStream({ resumable: false, contentType: type, metadata: fileMetadata })
      await withSignal(pipeline(stream, upload, { signal }), signal, errorMessages)
    },
    async stat(key, signal) {
      const response = await withSignal(undefinedIfMissing(bucket.file(key).getMetadata()), signal, errorMessages)
      return (
        response && {
          size: parseSize(response[0].size),
          type: response[0].contentType,
          metadata: lowerCaseNames(response[0].metadata),
        }
      )
    },
    async open(key, signal, range) {
      const file = bucket.file(key)
      // A stream reports errors late, so a missing object is detected first.
      await withSignal(file.getMetadata(), signal, errorMessages)
      return file.createReadStream(range ? { start: range.from, end: range.to } : {})
    },
    async remove(key, signal) {
      await withSignal(bucket.file(key).delete(), signal, errorMessages)
    },
    // The SDK manages its connections itself.
    close: () => {},
  }
}
