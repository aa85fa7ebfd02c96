import type { Readable } from 'node:stream'
import type { S3ClientConfig } from '@aws-sdk/client-s3'
import { getAwsCredentialType, defaultAwsRegion, type BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'
import { StorageError, type ObjectStorage } from '../../ports/object-storage'
import { guardedAgents } from '../net/guarded-agents'
import { allowedAddresses } from '../net/allowed-targets'
import { checkAddress } from './endpoint-check'
import { withSignal, toStorageError, undefinedIfMissing, lowerCaseNames, parseSize } from './storage-errors'

const { failure: fault } = messages

const errorMessages: Record<string, string> = {
  NoSuchBucket: fault.noBucket,
  InvalidAccessKeyId: fault.unknownKey,
  SignatureDoesNotMatch: fault.wrongSecret,
  AccessDenied: fault.accessDenied,
  Forbidden: fault.accessDenied,
  PermanentRedirect: fault.wrongRegion,
  301: fault.wrongRegion,
  AuthorizationHeaderMalformed: fault.wrongRegion,
  IllegalLocationConstraintException: fault.wrongRegion,
  CredentialsProviderError: fault.noAwsCredentials,
}

const roleErrorMessages: Record<string, string> = {
  AccessDenied: fault.roleDenied,
  ValidationError: fault.roleDenied,
  CredentialsProviderError: fault.noAwsCredentials,
}

export interface S3Options {
  /** Allows endpoints of credentials in private networks. */
  privateTargets: boolean
  /** Endpoints to use instead of those of AWS, for tests. */
  s3?: string
  sts?: string
}

type Credentials = NonNullable<S3ClientConfig['credentials']>

/** Assumes a role. The account SID is the external ID, so that a role's owner can restrict it to one account. */
const assumeRole = async ({ role_arn, region }: BucketCredential, account_sid: string, sts?: string) => {
  const { fromTemporaryCredentials } = await import('@aws-sdk/credential-providers')
  const provide = fromTemporaryCredentials({
    params: { RoleArn: role_arn ?? '', RoleSessionName: 'trunkline', ExternalId: account_sid },
    clientConfig: { region: region ?? defaultAwsRegion, maxAttempts: 1, ...(sts ? { endpoint: sts } : {}) },
  })
  return async () => {
    try {
      return await provide()
    } catch (error) {
      throw toStorageError(error, roleErrorMessages)
    }
  }
}

const credentialsOf = async (credential: BucketCredential, account_sid: string, sts?: string): Promise<Credentials> => {
  const type = credential.vendor === 'aws_s3' ? getAwsCredentialType(credential) : 'access_key'
  if (type === 'assume_role') return assumeRole(credential, account_sid, sts)
  if (type === 'instance_profile') return (await import('@aws-sdk/credential-providers')).fromNodeProviderChain()
  return { accessKeyId: credential.access_key_id ?? '', secretAccessKey: credential.secret_access_key ?? '' }
}

/** Errors are reported by this server; the SDK would also write to the console. */
const silentLogger = { trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** A bucket of Amazon S3, or of an S3-compatible server. */
export const s3Storage = async (
  credential: BucketCredential,
  account_sid: string,
  options: S3Options,
): Promise<ObjectStorage> => {
  const { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } =
    await import('@aws-sdk/client-s3')
  const customEndpoint = credential.vendor === 's3_compatible' ? (credential.endpoint ?? '') : undefined
  // AWS itself may have a private address, in an operator's network.
  const isAllowed = allowedAddresses(customEndpoint === undefined || options.privateTargets)
  if (customEndpoint !== undefined) await checkAddress(customEndpoint, isAllowed)
  const agents = guardedAgents(isAllowed)
  const endpoint = customEndpoint ?? options.s3
  const client = new S3Client({
    region: credential.region ?? defaultAwsRegion,
    credentials: await credentialsOf(credential, account_sid, options.sts),
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
      await withSignal(client.send(command, { abortSignal: signal }), signal, errorMessages)
    },
    async stat(Key, signal) {
      const command = new HeadObjectCommand({ Bucket, Key })
      const properties = await withSignal(
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
      const { Body } = await withSignal(client.send(command, { abortSignal: signal }), signal, errorMessages)
      if (!Body) throw new StorageError(fault.unexpectedResponse)
      return Body as Readable
    },
    async remove(Key, signal) {
      const command = new DeleteObjectCommand({ Bucket, Key })
      await withSignal(client.send(command, { abortSignal: signal }), signal, errorMessages)
    },
    close: () => client.destroy(),
  }
}
