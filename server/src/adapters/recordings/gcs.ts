import { createPrivateKey } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { Bucket } from '@google-cloud/storage'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'
import { StorageError, type ObjectStorage } from '../../ports/object-storage'
import { runStorageRequest, undefinedIfMissing, lowerCaseNames, parseSize } from './storage-errors'

const { failure } = messages

const errorMessages: Record<string, string> = {
  401: failure.wrongSecret,
  403: failure.accessDenied,
  404: failure.noBucket,
}

interface ServiceAccountKey {
  project_id?: string
  client_email?: string
  private_key: string
}

const parseServiceAccountKey = (text: string | null | undefined): ServiceAccountKey => {
  try {
    const key = JSON.parse(text ?? '') as ServiceAccountKey
    createPrivateKey(key.private_key)
    return key
  } catch {
    throw new StorageError(failure.malformedCredentials)
  }
}

/**
 * Opens a bucket. Only the project, the client's email address and the private key of the key file are used: it may also contain
 * URLs, and this server must not send requests to them.
 */
const openBucket = async ({ name, service_key }: BucketCredential, apiEndpoint?: string): Promise<Bucket> => {
  const { IdempotencyStrategy, Storage } = await import('@google-cloud/storage')
  const { project_id, client_email, private_key } = parseServiceAccountKey(service_key)
  if (!name) throw new StorageError(failure.noBucket)
  const storage = new Storage({
    ...(project_id ? { projectId: project_id } : {}),
    credentials: { private_key, ...(client_email ? { client_email } : {}) },
    retryOptions: { autoRetry: false, maxRetries: 0, idempotencyStrategy: IdempotencyStrategy.RetryNever },
    ...(apiEndpoint ? { apiEndpoint, useAuthWithCustomEndpoint: true } : {}),
  })
  // Access tokens are signed locally with the private key, so none has to be requested from a token server.
  storage.authClient.useJWTAccessWithScope = true
  return storage.bucket(name)
}

/** Opens a bucket of Google Cloud Storage. `apiEndpoint` replaces Google's URL in tests. */
export const openGcsStorage = async (credential: BucketCredential, apiEndpoint?: string): Promise<ObjectStorage> => {
  const bucket = await openBucket(credential, apiEndpoint)
  return {
    async write(key, { stream, type, metadata }, signal) {
      const fileMetadata = { contentType: type, metadata }
      const upload = bucket.file(key).createWriteStream({ resumable: false, contentType: type, metadata: fileMetadata })
      await runStorageRequest(pipeline(stream, upload, { signal }), signal, errorMessages)
    },
    async stat(key, signal) {
      const response = await runStorageRequest(
        undefinedIfMissing(bucket.file(key).getMetadata()),
        signal,
        errorMessages,
      )
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
      await runStorageRequest(file.getMetadata(), signal, errorMessages)
      return file.createReadStream(range ? { start: range.from, end: range.to } : {})
    },
    async remove(key, signal) {
      await runStorageRequest(bucket.file(key).delete(), signal, errorMessages)
    },
    // The SDK manages its connections itself.
    close: () => {},
  }
}
