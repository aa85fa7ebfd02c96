import type { Readable } from 'node:stream'
import type { ContainerClient } from '@azure/storage-blob'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'
import { StorageError, type RecordingStore } from '../../ports/recordings'
import { guardedAgents } from '../net/guarded-agents'
import { permits } from '../net/allowed-targets'
import { checkAddress } from './endpoint-check'
import { ending, ifThere, inSmallLetters, sizeOf } from './storage-errors'

const { fault } = messages

const words: Record<string, string> = {
  ContainerNotFound: fault.noBucket,
  InvalidResourceName: fault.noBucket,
  AuthenticationFailed: fault.wrongSecret,
  AuthorizationFailure: fault.denied,
  AuthorizationPermissionMismatch: fault.denied,
  REQUEST_SEND_ERROR: fault.unreachable,
}

export interface AzureOptions {
  /** The address that a credential names may be in a private network. */
  privateTargets: boolean
}

/** The kit says what is wrong with a connection string, and may quote it. */
const readConnection = <Answer>(read: () => Answer): Answer => {
  try {
    return read()
  } catch {
    throw new StorageError(fault.badSecret)
  }
}

const containerOf = async (
  { connection_string, name }: BucketCredential,
  { privateTargets }: AzureOptions,
): Promise<{ container: ContainerClient; close: () => void }> => {
  const { BlobServiceClient } = await import('@azure/storage-blob')
  const open = (settings: object) =>
    readConnection(() =>
      BlobServiceClient.fromConnectionString(connection_string ?? '', {
        retryOptions: { maxTries: 1 },
        ...settings,
      }).getContainerClient(name ?? ''),
    )
  const { url } = open({})
  const permitted = permits(privateTargets)
  await checkAddress(url, permitted)
  const agents = guardedAgents(permitted)
  const agent = url.startsWith('https:') ? agents.https : agents.http
  // the kit's types lack these two settings of its HTTP pipeline
  const container = open({ agent, redirectOptions: { maxRetries: 0 } })
  return { container, close: () => agent.destroy() }
}

/** Bytes that are sent at once. */
const block = 2 * 1024 * 1024

/** A container of Azure Blob Storage. */
export const azureRecordings = async (credential: BucketCredential, options: AzureOptions): Promise<RecordingStore> => {
  const { container, close } = await containerOf(credential, options)
  return {
    async write(key, { stream, type, userMetadata: about }, abortSignal) {
      const settings = { abortSignal, metadata: about, blobHTTPHeaders: { blobContentType: type } }
      const upload = container.getBlockBlobClient(key).uploadStream(stream, block, 2, settings)
      await ending(upload, abortSignal, words)
    },
    async statObject(key, abortSignal) {
      const asked = ifThere(container.getBlobClient(key).getProperties({ abortSignal }))
      const found = await ending(asked, abortSignal, words)
      return (
        found && {
          size: sizeOf(found.contentLength),
          type: found.contentType,
          userMetadata: inSmallLetters(found.metadata),
        }
      )
    },
    async open(key, abortSignal, stretch) {
      const [from, count] = stretch ? [stretch.from, stretch.to - stretch.from + 1] : [0, undefined]
      const download = container.getBlobClient(key).download(from, count, { abortSignal })
      const { readableStreamBody } = await ending(download, abortSignal, words)
      if (!readableStreamBody) throw new StorageError(fault.unknown)
      return readableStreamBody as Readable
    },
    async remove(key, abortSignal) {
      await ending(container.getBlobClient(key).delete({ abortSignal }), abortSignal, words)
    },
    close,
  }
}
