import type { Readable } from 'node:stream'
import type { ContainerClient } from '@azure/storage-blob'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'
import { StorageError, type ObjectStorage } from '../../ports/object-storage'
import { guardedAgents } from '../net/guarded-agents'
import { allowedAddresses } from '../net/allowed-targets'
import { checkAddress } from './endpoint-check'
import { withSignal, undefinedIfMissing, lowerCaseNames, parseSize } from './storage-errors'

const { failure: fault } = messages

const errorMessages: Record<string, string> = {
  ContainerNotFound: fault.noBucket,
  InvalidResourceName: fault.noBucket,
  AuthenticationFailed: fault.wrongSecret,
  AuthorizationFailure: fault.accessDenied,
  AuthorizationPermissionMismatch: fault.accessDenied,
  REQUEST_SEND_ERROR: fault.unreachable,
}

export interface AzureOptions {
  /** Allows addresses of credentials in private networks. */
  privateTargets: boolean
}

/** Hides errors of the SDK, which may quote the connection string. */
const hideErrors = <Result>(read: () => Result): Result => {
  try {
    return read()
  } catch {
    throw new StorageError(fault.malformedCredentials)
  }
}

const containerOf = async (
  { connection_string, name }: BucketCredential,
  { privateTargets }: AzureOptions,
): Promise<{ container: ContainerClient; close: () => void }> => {
  const { BlobServiceClient } = await import('@azure/storage-blob')
  const open = (settings: object) =>
    hideErrors(() =>
      BlobServiceClient.fromConnectionString(connection_string ?? '', {
        retryOptions: { maxTries: 1 },
        ...settings,
      }).getContainerClient(name ?? ''),
    )
  const { url } = open({})
  const isAllowed = allowedAddresses(privateTargets)
  await checkAddress(url, isAllowed)
  const agents = guardedAgents(isAllowed)
  const agent = url.startsWith('https:') ? agents.https : agents.http
  // The SDK's types lack these two settings of its HTTP pipeline.
  const container = open({ agent, redirectOptions: { maxRetries: 0 } })
  return { container, close: () => agent.destroy() }
}

/** Bytes per uploaded block. */
const blockBytes = 2 * 1024 * 1024

/** A container of Azure Blob Storage. */
export const azureStorage = async (credential: BucketCredential, options: AzureOptions): Promise<ObjectStorage> => {
  const { container, close } = await containerOf(credential, options)
  return {
    async write(key, { stream, type, metadata }, abortSignal) {
      const settings = { abortSignal, metadata, blobHTTPHeaders: { blobContentType: type } }
      const upload = container.getBlockBlobClient(key).uploadStream(stream, blockBytes, 2, settings)
      await withSignal(upload, abortSignal, errorMessages)
    },
    async stat(key, abortSignal) {
      const request = undefinedIfMissing(container.getBlobClient(key).getProperties({ abortSignal }))
      const properties = await withSignal(request, abortSignal, errorMessages)
      return (
        properties && {
          size: parseSize(properties.contentLength),
          type: properties.contentType,
          metadata: lowerCaseNames(properties.metadata),
        }
      )
    },
    async open(key, abortSignal, range) {
      const [from, count] = range ? [range.from, range.to - range.from + 1] : [0, undefined]
      const download = container.getBlobClient(key).download(from, count, { abortSignal })
      const { readableStreamBody } = await withSignal(download, abortSignal, errorMessages)
      if (!readableStreamBody) throw new StorageError(fault.unexpectedResponse)
      return readableStreamBody as Readable
    },
    async remove(key, abortSignal) {
      await withSignal(container.getBlobClient(key).delete({ abortSignal }), abortSignal, errorMessages)
    },
    close,
  }
}
