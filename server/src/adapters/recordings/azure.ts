import type { Readable } from 'node:stream'
import type { ContainerClient } from '@azure/storage-blob'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'
import { StorageError, type ObjectStorage } from '../../ports/object-storage'
import { createGuardedAgents } from '../net/guarded-agents'
import { createAddressCheck } from '../net/allowed-targets'
import { checkAddress } from './endpoint-check'
import { runStorageRequest, undefinedIfMissing, lowerCaseNames, parseSize } from './storage-errors'

const { failure } = messages

const errorMessages: Record<string, string> = {
  ContainerNotFound: failure.noBucket,
  InvalidResourceName: failure.noBucket,
  AuthenticationFailed: failure.wrongSecret,
  AuthorizationFailure: failure.accessDenied,
  AuthorizationPermissionMismatch: failure.accessDenied,
  REQUEST_SEND_ERROR: failure.unreachable,
}

export interface AzureOptions {
  /** Whether addresses of credentials may be in private networks. */
  allowPrivateTargets: boolean
}

/** Replaces errors of the SDK, which may quote the connection string. */
const replaceErrors = <Result>(action: () => Result): Result => {
  try {
    return action()
  } catch {
    throw new StorageError(failure.malformedCredentials)
  }
}

const openContainer = async (
  { connection_string, name }: BucketCredential,
  { allowPrivateTargets }: AzureOptions,
): Promise<{ container: ContainerClient; close: () => void }> => {
  const { BlobServiceClient } = await import('@azure/storage-blob')
  const createClient = (settings: object) =>
    replaceErrors(() =>
      BlobServiceClient.fromConnectionString(connection_string ?? '', {
        retryOptions: { maxTries: 1 },
        ...settings,
      }).getContainerClient(name ?? ''),
    )
  const { url } = createClient({})
  const isAllowed = createAddressCheck(allowPrivateTargets)
  await checkAddress(url, isAllowed)
  const agents = createGuardedAgents(isAllowed)
  const agent = url.startsWith('https:') ? agents.https : agents.http
  // The SDK's types lack these two settings of its HTTP pipeline.
  const container = createClient({ agent, redirectOptions: { maxRetries: 0 } })
  return { container, close: () => agent.destroy() }
}

/** Bytes per uploaded block, and the number of blocks that are uploaded at the same time. */
const blockBytes = 2 * 1024 * 1024
const maxParallelBlocks = 2

/** Opens a container of Azure Blob Storage. */
export const openAzureStorage = async (credential: BucketCredential, options: AzureOptions): Promise<ObjectStorage> => {
  const { container, close } = await openContainer(credential, options)
  return {
    async write(key, { stream, type, metadata }, abortSignal) {
      const settings = { abortSignal, metadata, blobHTTPHeaders: { blobContentType: type } }
      const upload = container.getBlockBlobClient(key).uploadStream(stream, blockBytes, maxParallelBlocks, settings)
      await runStorageRequest(upload, abortSignal, errorMessages)
    },
    async stat(key, abortSignal) {
      const request = undefinedIfMissing(container.getBlobClient(key).getProperties({ abortSignal }))
      const properties = await runStorageRequest(request, abortSignal, errorMessages)
      return (
        properties && {
          size: parseSize(properties.contentLength),
          type: properties.contentType,
          metadata: lowerCaseNames(properties.metadata),
        }
      )
    },
    async open(key, abortSignal, range) {
      const [offset, count] = range ? [range.from, range.to - range.from + 1] : [0, undefined]
      const download = container.getBlobClient(key).download(offset, count, { abortSignal })
      const { readableStreamBody } = await runStorageRequest(download, abortSignal, errorMessages)
      if (!readableStreamBody) throw new StorageError(failure.unexpectedResponse)
      return readableStreamBody as Readable
    },
    async remove(key, abortSignal) {
      await runStorageRequest(container.getBlobClient(key).delete({ abortSignal }), abortSignal, errorMessages)
    },
    close,
  }
}
