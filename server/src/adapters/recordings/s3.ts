import type { Readable } from 'node:stream'
import type { S3ClientConfig } from '@aws-sdk/client-s3'
import { awsCredentialType, defaultAwsRegion, type BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'
import { StorageError, type RecordingStore } from '../../ports/recordings'
import { guardedAgents } from '../net/guarded-agents'
import { permits } from '../net/allowed-targets'
import { checkAddress } from './endpoint-check'
import { ending, faultOf, ifThere, inSmallLetters, sizeOf } from './storage-errors'

const { fault } = messages

const words: Record<string, string> = {
  NoSuchBucket: fault.noBucket,
  InvalidAccessKeyId: fault.unknownKey,
  SignatureDoesNotMatch: fault.wrongSecret,
  AccessDenied: fault.denied,
  Forbidden: fault.denied,
  PermanentRedirect: fault.otherRegion,
  301: fault.otherRegion,
  AuthorizationHeaderMalformed: fault.otherRegion,
  IllegalLocationConstraintException: fault.otherRegion,
  CredentialsProviderError: fault.noIdentity,
}

const roleWords: Record<string, string> = {
  AccessDenied: fault.noRole,
  ValidationError: fault.noRole,
  CredentialsProviderError: fault.noIdentity,
}

export interface S3Options {
  /** An endpoint that a credential names may be in a private network. */
  privateTargets: boolean
  /** Addresses to use instead of those of AWS, for tests. */
  s3?: string
  sts?: string
}

type Credentials = NonNullable<S3ClientConfig['credentials']>

/** A role is told whose bucket it is for: its owner can ask for that name, so that nobody else gets it through us. */
const inRole = async ({ role_arn, region }: BucketCredential, account_sid: string, sts?: string) => {
  const { fromTemporaryCredentials } = await import('@aws-sdk/credential-providers')
  const provide = fromTemporaryCredentials({
    params: { RoleArn: role_arn ?? '', RoleSessionName: 'trunkline', ExternalId: account_sid },
    clientConfig: { region: region ?? defaultAwsRegion, maxAttempts: 1, ...(sts ? { endpoint: sts } : {}) },
  })
  return async () => {
    try {
      return await provide()
    } catch (error) {
      throw faultOf(error, roleWords)
    }
  }
}

const credentialsOf = async (credential: BucketCredential, account_sid: string, sts?: string): Promise<Credentials> => {
  const type = credential.vendor === 'aws_s3' ? awsCredentialType(credential) : 'access_key'
  if (type === 'assume_role') return inRole(credential, account_sid, sts)
  if (type === 'instance_profile') return (await import('@aws-sdk/credential-providers')).fromNodeProviderChain()
  return { accessKeyId: credential.access_key_id ?? '', secretAccessKey: credential.secret_access_key ?? '' }
}

/** What went wrong is told by us: the kit would also write to the console that it does not try again. */
const silent = { trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** A bucket of Amazon S3, or of a server that speaks as it does. */
export const s3Recordings = async (
  credential: BucketCredential,
  account_sid: string,
  options: S3Options,
): Promise<RecordingStore> => {
  const { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, PutObjectCommand, S3Client } =
    await import('@aws-sdk/client-s3')
  const own = credential.vendor === 's3_compatible' ? (credential.endpoint ?? '') : undefined
  // AWS itself may be behind a private address of an operator's own network
  const permitted = permits(own === undefined || options.privateTargets)
  if (own !== undefined) await checkAddress(own, permitted)
  const agents = guardedAgents(permitted)
  const endpoint = own ?? options.s3
  const client = new S3Client({
    region: credential.region ?? defaultAwsRegion,
    credentials: await credentialsOf(credential, account_sid, options.sts),
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    maxAttempts: 1,
    logger: silent,
    // what only AWS understands is left out where it is not asked for
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, httpAgent: agents.http, httpsAgent: agents.https },
  })
  const Bucket = credential.name ?? ''
  return {
    async write(Key, { stream, size, type, userMetadata: about }, signal) {
      const said = { ContentLength: size, ContentType: type, Metadata: about }
      const command = new PutObjectCommand({ Bucket, Key, Body: stream, ...said })
      await ending(client.send(command, { abortSignal: signal }), signal, words)
    },
    async statObject(Key, signal) {
      const command = new HeadObjectCommand({ Bucket, Key })
      const found = await ending(ifThere(client.send(command, { abortSignal: signal })), signal, words)
      return (
        found && {
          size: sizeOf(found.ContentLength),
          type: found.ContentType,
          userMetadata: inSmallLetters(found.Metadata),
        }
      )
    },
    async open(Key, signal, stretch) {
      const Range = stretch && `bytes=${stretch.from}-${stretch.to}`
      const command = new GetObjectCommand({ Bucket, Key, ...(Range ? { Range } : {}) })
      const { Body } = await ending(client.send(command, { abortSignal: signal }), signal, words)
      if (!Body) throw new StorageError(fault.unknown)
      return Body as Readable
    },
    async remove(Key, signal) {
      const command = new DeleteObjectCommand({ Bucket, Key })
      await ending(client.send(command, { abortSignal: signal }), signal, words)
    },
    close: () => client.destroy(),
  }
}
