import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'
import { assumableRole, startInstanceMetadataService, startTokenService } from '../../../test/doubles/aws-identity'
import { startGoogleStorage } from '../../../test/doubles/google-storage'
import { startAzure } from '../../../test/external/azure-double'
import { s3Key, startS3 } from '../../../test/external/s3-double'
import { testStorage, type ObjectStorage } from '../../ports/object-storage'
import { createBucketOpener } from './open-bucket'
import { openGcsStorage } from './gcs'
import { openS3Storage } from './s3'

const openBucket = createBucketOpener({ allowPrivateTargets: true })

const { failure } = messages
const account_sid = randomUUID()
const timeoutSignal = () => AbortSignal.timeout(15_000)

type OpenStorage = (credential: BucketCredential) => Promise<ObjectStorage>

/** A storage with a valid credential, and an invalid one with its error message. */
interface StorageSetup {
  openStorage: OpenStorage
  validCredential: BucketCredential
  invalidCredential: BucketCredential
  expectedError: string
  stop: () => Promise<unknown>
}

const wrongKey: Pick<BucketCredential, 'access_key_id' | 'secret_access_key'> = { ...s3Key, access_key_id: 'nobody' }

const setups: [string, () => Promise<StorageSetup>][] = [
  [
    'a server that speaks S3',
    async () => {
      const { endpoint, stop } = await startS3()
      const validCredential: BucketCredential = { vendor: 's3_compatible', name: 'recordings', endpoint, ...s3Key }
      return {
        openStorage: (credential) => openBucket(credential, account_sid),
        validCredential,
        invalidCredential: { ...validCredential, ...wrongKey },
        expectedError: failure.unknownKey,
        stop,
      }
    },
  ],
  [
    'Amazon S3 by key',
    async () => {
      const { endpoint, stop } = await startS3()
      const validCredential: BucketCredential = { vendor: 'aws_s3', name: 'recordings', region: 'eu-west-1', ...s3Key }
      return {
        openStorage: (credential) =>
          openS3Storage(credential, account_sid, { allowPrivateTargets: false, s3Endpoint: endpoint }),
        validCredential,
        invalidCredential: { ...validCredential, ...wrongKey },
        expectedError: failure.unknownKey,
        stop,
      }
    },
  ],
  [
    'Azure Blob Storage',
    async () => {
      const { connectionString, wrongConnectionString, stop } = await startAzure()
      const validCredential: BucketCredential = {
        vendor: 'azure',
        name: 'recordings',
        connection_string: connectionString,
      }
      const openStorage: OpenStorage = (credential) => openBucket(credential, account_sid)
      return {
        openStorage,
        validCredential,
        invalidCredential: { ...validCredential, connection_string: wrongConnectionString },
        expectedError: failure.accessDenied,
        stop,
      }
    },
  ],
  [
    'Google Cloud Storage',
    async () => {
      const { address, serviceKey, wrongServiceKey, stop } = await startGoogleStorage()
      const validCredential: BucketCredential = { vendor: 'google', name: 'recordings', service_key: serviceKey }
      const openStorage: OpenStorage = (credential) => openGcsStorage(credential, address)
      return {
        openStorage,
        validCredential,
        invalidCredential: { ...validCredential, service_key: wrongServiceKey },
        expectedError: failure.wrongSecret,
        stop,
      }
    },
  ],
]

describe.each(setups)('recordings in %s', (_, start) => {
  let setup: StorageSetup
  beforeAll(async () => {
    setup = await start()
  })
  afterAll(() => setup.stop())

  const runStorageTest = async (credential: BucketCredential) => {
    const storage = await setup.openStorage(credential)
    try {
      await testStorage(storage, timeoutSignal())
    } finally {
      storage.close()
    }
  }

  it('can be written, read unchanged, and deleted', async () => {
    const storage = await setup.openStorage(setup.validCredential)
    const key = '2026/11/21/a call.mp3'
    const content = Buffer.from([0, 1, 2, 255, 254, 13, 10, 13, 10, 45, 45])
    const metadata = { accountSid: account_sid, from: '+1 555' }
    const stream = Readable.from([content.subarray(0, 4), content.subarray(4)])
    await storage.write(key, { stream, size: content.length, type: 'audio/mp3', metadata }, timeoutSignal())
    const readContent = async (range?: { from: number; to: number }) => {
      const chunks: Buffer[] = []
      for await (const chunk of await storage.open(key, timeoutSignal(), range)) chunks.push(Buffer.from(chunk))
      return Buffer.concat(chunks)
    }
    expect((await readContent()).equals(content)).toBe(true)
    expect((await readContent({ from: 2, to: 4 })).equals(content.subarray(2, 5))).toBe(true)
    expect(await storage.stat(key, timeoutSignal())).toMatchObject({
      size: content.length,
      metadata: { accountsid: account_sid, from: '+1 555' },
    })
    await storage.remove(key, timeoutSignal())
    expect(await storage.stat(key, timeoutSignal())).toBeUndefined()
    await expect(storage.open(key, timeoutSignal())).rejects.toThrow()
    storage.close()
  })

  it('pass the storage test', async () => {
    await expect(runStorageTest(setup.validCredential)).resolves.toBeUndefined()
  })

  it('report a missing bucket', async () => {
    await expect(runStorageTest({ ...setup.validCredential, name: 'elsewhere' })).rejects.toThrow(
      failure.write(failure.noBucket),
    )
  })

  it('report why a credential is rejected', async () => {
    await expect(runStorageTest(setup.invalidCredential)).rejects.toThrow(failure.write(setup.expectedError))
  })

  it('stop a request when its signal aborts', async () => {
    const storage = await setup.openStorage(setup.validCredential)
    await expect(testStorage(storage, AbortSignal.abort())).rejects.toThrow(failure.write(failure.timeout))
    storage.close()
  })
})

describe('recordings in Amazon S3 without a key', () => {
  const bucket: BucketCredential = { vendor: 'aws_s3', name: 'recordings', region: 'eu-west-1' }
  const roleCredential: BucketCredential = { ...bucket, credential_type: 'assume_role', role_arn: assumableRole }
  const instanceCredential: BucketCredential = { ...bucket, credential_type: 'instance_profile' }
  let s3: Awaited<ReturnType<typeof startS3>>
  let sts: Awaited<ReturnType<typeof startTokenService>>
  beforeAll(async () => {
    s3 = await startS3()
    sts = await startTokenService(account_sid)
  })
  afterEach(() => vi.unstubAllEnvs())
  afterAll(() => Promise.all([s3.stop(), sts.stop()]))

  const runStorageTest = async (credential: BucketCredential, externalId = account_sid) => {
    const storage = await openS3Storage(credential, externalId, {
      allowPrivateTargets: false,
      s3Endpoint: s3.endpoint,
      stsEndpoint: sts.address,
    })
    await testStorage(storage, timeoutSignal()).finally(() => storage.close())
  }
  const stubServerIdentity = () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'somebody')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
  }

  it('are reached by a role with the account as external ID', async () => {
    stubServerIdentity()
    await expect(runStorageTest(roleCredential)).resolves.toBeUndefined()
    await expect(runStorageTest(roleCredential, randomUUID())).rejects.toThrow(failure.write(failure.roleDenied))
    await expect(runStorageTest({ ...roleCredential, role_arn: `${assumableRole}-2` })).rejects.toThrow(
      failure.write(failure.roleDenied),
    )
  })

  it("are reached with the identity of the server's machine, if it has one", async () => {
    const machineIdentity = await startInstanceMetadataService()
    vi.stubEnv('AWS_EC2_METADATA_SERVICE_ENDPOINT', machineIdentity.address)
    await expect(runStorageTest(instanceCredential)).resolves.toBeUndefined()
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
    await expect(runStorageTest(instanceCredential)).rejects.toThrow(failure.write(failure.noAwsCredentials))
    await machineIdentity.stop()
  })
})

describe('an unusable credential', () => {
  const s3Credential: BucketCredential = { vendor: 's3_compatible', name: 'recordings', ...s3Key }
  const azureCredential = (BlobEndpoint: string): BucketCredential => ({
    vendor: 'azure',
    name: 'recordings',
    connection_string: `DefaultEndpointsProtocol=http;AccountName=a;AccountKey=c2VjcmV0;BlobEndpoint=${BlobEndpoint}`,
  })
  const googleCredential = (service_key: string): BucketCredential => ({
    vendor: 'google',
    name: 'recordings',
    service_key,
  })

  it.each<[string, BucketCredential, string]>([
    ['a closed port', { ...s3Credential, endpoint: 'http://127.0.0.1:1' }, failure.write(failure.unreachable)],
    ['a closed port of Azure', azureCredential('http://127.0.0.1:1/a'), failure.write(failure.unreachable)],
    ['an unknown host', { ...s3Credential, endpoint: 'http://bucket.invalid' }, failure.unknownHost],
    ['the metadata address', { ...s3Credential, endpoint: 'http://169.254.169.254' }, failure.unreachable],
    ['the metadata address as a number', { ...s3Credential, endpoint: 'http://2852039166/' }, failure.unreachable],
    [
      'the metadata address mapped to IPv6',
      { ...s3Credential, endpoint: 'http://[::ffff:169.254.169.254]' },
      failure.unreachable,
    ],
    ['the IPv6 metadata address', { ...s3Credential, endpoint: 'http://[fd00:ec2::254]' }, failure.unreachable],
    ['the metadata address through Azure', azureCredential('http://169.254.169.254/a'), failure.unreachable],
    ['an invalid address', { ...s3Credential, endpoint: 'nonsense' }, messages.invalidEndpoint],
    [
      'a malformed connection string',
      { vendor: 'azure', name: 'x', connection_string: 'nonsense' },
      failure.malformedCredentials,
    ],
    ['a malformed key file', googleCredential('nonsense'), failure.malformedCredentials],
    [
      'a malformed private key',
      googleCredential(JSON.stringify({ client_email: 'a@b', private_key: 'nonsense' })),
      failure.malformedCredentials,
    ],
    ['an unknown vendor', { vendor: 'floppy' }, 'Does not support test for floppy'],
  ])('is reported: %s', async (_, credential, expectedMessage) => {
    const testResult = openBucket(credential, account_sid).then((storage) => testStorage(storage, timeoutSignal()))
    await expect(testResult).rejects.toThrow(new Error(expectedMessage))
  })
})
