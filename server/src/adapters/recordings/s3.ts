import type { Readable } from 'node:stream'
import type { S3ClientConfig } from '@aws-sdk/client-s3'
import { getAwsCredentialType, defaultAwsRegion, type BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'
import { StorageError, type ObjectStorage } from '../../ports/object-storage'
import { createGuardedAgents } from '../net/guarded-agents'
import { createAddressCheck } from '../net/allowed-targets'
import { checkAddress } from './endpoint-check'
import { runStorageRequest, toStorageError, undefinedIfMissing, lowerCaseNames, parseSize } from './storage-errors'

const { failure } = messages

const errorMessages: Record<string, string> = {
  NoSuchBucket: failure.noBucket,
  InvalidAccessKeyId: failure.unknownKey,
  SignatureDoesNotMatch: failure.wrongSecret,
  AccessDenied: failure.accessDenied,
  Forbidden: failure.accessDenied,
  PermanentRedirect: failure.wrongRegion,
  301: failure.wrongRegion,
  AuthorizationHeaderMalformed: failure.wrongRegion,
  IllegalLocationConstraintException: failure.wrongRegion,
  CredentialsProviderError: failure.noAwsCredentials,
}

const roleErrorMessages: Record<string, string> = {
  AccessDenied: failure.roleDenied,
  ValidationError: failure.roleDenied,
  CredentialsProviderError: failure.noAwsCredentials,
}

export interface S3Options {
  /** Whether endpoints of credentials may be in private networks. */
  allowPrivateTargets: boolean
  /** Endpoints to use instead of those of AWS, for tests. */
  s3Endpoint?: string
  stsEndpoint?: string
}

type Credentials = NonNullable<S3ClientConfig['credentials']>

/** Returns a provider of a role's temporary credentials. The account SID is the external ID, so that a role's owner can restrict it to one account. */
const assumeRole = async ({ role_arn, region }: BucketCredential, account_sid: string, stsEndpoint?: string) => {
  const { fromTemporaryCredentials } = await import('@aws-sdk/credential-providers')
  const requestCredentials = fromTemporaryCredentials({
    params: { RoleArn: role_arn ?? '', RoleSessionName: 'trunkline', ExternalId: account_sid },
    clientConfig: {
      region: region ?? defaultAwsRegion,
      maxAttempts: 1,
      ...(stsEndpoint ? { endpoint: stsEndpoint } : {}),
    },
  })
  return async () => {
    try {
      return await requestCredentials()
    } catch (error) {
      throw toStorageError(error, roleErrorMessages)
    }
  }
}

const resolveAwsCredentials = async (
  credential: BucketCredential,
  account_sid: string,
  stsEndpoint?: string,
): Promise<Credentials> => {
  const type = credential.vendor === 'aws_s3' ? getAwsCredentialType(credential) : 'access_key'
  if (type === 'assume_role') return assumeRole(credential, account_sid, stsEndpoint)
  if (type === 'instance_profile') return (await import('@aws-sdk/credential-providers')).fromNodeProviderChain()
  return { accessKeyId: credential.access_key_id ?? '', secretAccessKey: credential.secret_access_key ?? '' }
}

/** Errors are reported by this server; the SDK would also write to the console. */
const silentLogger = { trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Opens a bucket of Amazon S3, or of an S3-compatible server. */
export const openS3Storage = async (
  credential: BucketCredential,
  account_sid: string,
  options: S3Options,
): Promise<ObjectStorage> => {
  const { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } =
    await import('@aws-sdk/client-s3')
  const customEndpoint = credential.vendor === 's3_compatible' ? (credential.endpoint ?? '') : undefined
  // AWS itself is always allowed: in an operator's network it may have a private address.
  const isAllowed = createAddressCheck(customEndpoint === undefined || options.allowPrivateTargets)
  if (customEndpoint !== undefined) await checkAddress(customEndpoint, isAllowed)
  const agents = createGuardedAgents(isAllowed)
  const endpoint = customEndpoint ?? options.s3Endpoint
  const client = new S3Client({
    region: credential.region ?? defaultAwsRegion,
    credentials: await resolveAwsCredentials(credential, account_sid, options.stsEndpoint),
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    maxAttempts: 1,
    logger: silentLogger,
    // Compatible servers do not understand AWS's optional checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, httpAgent: agents.http, httpsAgent: agents.https },
  })
  const Bucket = credential.name ?? ''
  return {
    async write(Key, { stream, size, type, metadata }, signal) {
      const properties = { ContentLength: size, ContentType: type, Metadata: metadata }
      const command = new PutObjectCommand({ Bucket, Key, Body: stream, ...properties })
      await runStorageRequest(client.send(command, { abortSignal: signal }), signal, errorMessages)
    },
    async stat(Key, signal) {
      const command = new HeadObjectCommand({ Bucket, Key })
      const properties = await runStorageRequest(
        undefinedIfMissing(client.send(command, { abortSignal: signal })),
        signal,
        errorMessages,
      )
      return (
        properties && {
          size: parseSize(properties.ContentLength),
          type: properties.ContentType,
          metadata: lowerCaseNames(properties.Metadata),
        }
      )
    },
    async open(Key, signal, range) {
      const Range = range && `bytes=${range.from}-${range.to}`
      const command = new GetObjectCommand({ Bucket, Key, ...(Range ? { Range } : {}) })
      const { Body } = await runStorageRequest(client.send(command, { abortSignal: signal }), signal, errorMessages)
      if (!Body) throw new StorageError(failure.unexpectedResponse)
      return Body as Readable
    },
    async remove(Key, signal) {
      const command = new DeleteObjectCommand({ Bucket, Key })
      await runStorageRequest(client.send(command, { abortSignal: signal }), signal, errorMessages)
    },
    close: () => client.destroy(),
  }
}
