import type { Readable } from 'node:stream'
import type { ContainerClient } from '@azure/storage-blob'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'
import { StorageFault, type Recordings } from '../../ports/recordings'
import { checkAddress } from './address'
import { ending, ifThere, inSmallLetters, sizeOf } from './faults'

const { fault } = messages

const words: Record<string, string> = {
  ContainerNotFound: fault.noBucket,
  InvalidResourceName: fault.noBucket,
  AuthenticationFailed: fault.wrongSecret,
  AuthorizationFailure: fault.denied,
  AuthorizationPermissionMismatch: fault.denied,
  REQUEST_SEND_ERROR: fault.refused,
}

/** The kit says what is wrong with a connection string, and may quote it. */
const containerOf = async ({ connection_string, name }: BucketCredential): Promise<ContainerClient> => {
  const { BlobServiceClient } = await import('@azure/storage-blob')
  try {
    return BlobServiceClient.fromConnectionString(connection_string ?? '', {
      retryOptions: { maxTries: 1 },
    }).getContainerClient(name ?? '')
  } catch {
    throw new StorageFault(fault.badSecret)
  }
}

/** Bytes that are sent at once. */
const block = 2 * 1024 * 1024

/** A container of Azure Blob Storage. */
export const azureRecordings = async (credential: BucketCredential): Promise<Recordings> => {
  const container = await containerOf(credential)
  await checkAddress(container.url)
  return {
    async write(key, { stream, type, about }, abortSignal) {
      const settings = { abortSignal, metadata: about, blobHTTPHeaders: { blobContentType: type } }
      const upload = container.getBlockBlobClient(key).uploadStream(stream, block, 2, settings)
      await ending(upload, abortSignal, words)
    },
    async look(key, abortSignal) {
      const asked = ifThere(container.getBlobClient(key).getProperties({ abortSignal }))
      const found = await ending(asked, abortSignal, words)
      return found && { size: sizeOf(found.contentLength), about: inSmallLetters(found.metadata) }
    },
    async open(key, abortSignal, stretch) {
      const [from, count] = stretch ? [stretch.from, stretch.to - stretch.from + 1] : [0, undefined]
      const download = container.getBlobClient(key).download(from, count, { abortSignal })
      const { readableStreamBody } = await ending(download, abortSignal, words)
      if (!readableStreamBody) throw new StorageFault(fault.unknown)
      return readableStreamBody as Readable
    },
    async remove(key, abortSignal) {
      await ending(container.getBlobClient(key).delete({ abortSignal }), abortSignal, words)
    },
    // its connections are the kit's own and close by themselves
    close: () => {},
  }
}
