import { createPrivateKey } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { Bucket } from '@google-cloud/storage'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'
import { StorageError, type RecordingStore } from '../../ports/recordings'
import { ending, ifThere, inSmallLetters, sizeOf } from './storage-errors'

const { fault } = messages

const words: Record<string, string> = {
  401: fault.wrongSecret,
  403: fault.denied,
  404: fault.noBucket,
}

interface Key {
  project_id?: string
  client_email?: string
  private_key: string
}

const keyOf = (text: string | null | undefined): Key => {
  try {
    const key = JSON.parse(text ?? '') as Key
    createPrivateKey(key.private_key)
    return key
  } catch {
    throw new StorageError(fault.badSecret)
  }
}

/** Nothing but the address and the private key: a key file may name hosts, and those are for us to choose. */
const bucketOf = async ({ name, service_key }: BucketCredential, apiEndpoint?: string): Promise<Bucket> => {
  const { IdempotencyStrategy, Storage } = await import('@google-cloud/storage')
  const { project_id, client_email, private_key } = keyOf(service_key)
  if (!name) throw new StorageError(fault.noBucket)
  const storage = new Storage({
    ...(project_id ? { projectId: project_id } : {}),
    credentials: { private_key, ...(client_email ? { client_email } : {}) },
    retryOptions: { autoRetry: false, maxRetries: 0, idempotencyStrategy: IdempotencyStrategy.RetryNever },
    ...(apiEndpoint ? { apiEndpoint, useAuthWithCustomEndpoint: true } : {}),
  })
  // a token that the key signs itself: one request less, and no other host
  storage.authClient.useJWTAccessWithScope = true
  return storage.bucket(name)
}

/** A bucket of Google Cloud Storage. `apiEndpoint`: another address than Google's own, for tests. */
export const gcsRecordings = async (credential: BucketCredential, apiEndpoint?: string): Promise<RecordingStore> => {
  const bucket = await bucketOf(credential, apiEndpoint)
  return {
    async write(key, { stream, type, userMetadata: about }, signal) {
      const metadata = { contentType: type, metadata: about }
      const upload = bucket.file(key).createWriteStream({ resumable: false, contentType: type, metadata })
      await ending(pipeline(stream, upload, { signal }), signal, words)
    },
    async statObject(key, signal) {
      const found = await ending(ifThere(bucket.file(key).getMetadata()), signal, words)
      return (
        found && {
          size: sizeOf(found[0].size),
          type: found[0].contentType,
          userMetadata: inSmallLetters(found[0].metadata),
        }
      )
    },
    async open(key, signal, stretch) {
      const file = bucket.file(key)
      // a stream that fails does so after it was handed on, so what is not there is found out first
      await ending(file.getMetadata(), signal, words)
      return file.createReadStream(stretch ? { start: stretch.from, end: stretch.to } : {})
    },
    async remove(key, signal) {
      await ending(bucket.file(key).delete(), signal, words)
    },
    // its connections are the kit's own and close by themselves
    close: () => {},
  }
}
