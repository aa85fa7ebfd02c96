import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'
import { knownRole, startMachineIdentity, startTokenService } from '../../../test/doubles/aws-identity'
import { startGoogleStorage } from '../../../test/doubles/google-storage'
import { startAzure } from '../../../test/external/azure-double'
import { s3Key, startS3 } from '../../../test/external/s3-double'
import { testStorage, type ObjectStorage } from '../../ports/object-storage'
import { openBucketByVendor as openByVendor } from './open-bucket'
import { gcsStorage } from './gcs'
import { s3Storage } from './s3'

const recordingsByVendor = openByVendor({ privateTargets: true })

const { failure } = messages
const account_sid = randomUUID()
const timeoutSignal = () => AbortSignal.timeout(15_000)

type Open = (credential: BucketCredential) => Promise<ObjectStorage>

/** A storage with a valid credential, and an invalid one with its error message. */
interface Place {
  open: Open
  right: BucketCredential
  wrong: BucketCredential
  refusal: string
  stop: () => Promise<unknown>
}

const wrongKey = { ...s3Key, access_key_id: 'nobody' }

const setups: [string, () => Promise<Place>][] = [
  [
    'a server that speaks S3',
    async () => {
      const { endpoint, stop } = await startS3()
      const validCredential = { vendor: 's3_compatible', name: 'recordings', endpoint, ...s3Key }
      return {
        open: (credential) => recordingsByVendor(credential, account_sid),
        right: validCredential,
        wrong: { ...validCredential, ...wrongKey },
        refusal: failure.unknownKey,
        stop,
      }
    },
  ],
  [
    'Amazon S3 by key',
    async () => {
      const { endpoint, stop } = await startS3()
      const validCredential = { vendor: 'aws_s3', name: 'recordings', region: 'eu-west-1', ...s3Key }
      return {
        open: (credential) => s3Storage(credential, account_sid, { privateTargets: false, s3: endpoint }),
        right: validCredential,
        wrong: { ...validCredential, ...wrongKey },
        refusal: failure.unknownKey,
        stop,
      }
    },
  ],
  [
    'Azure Blob Storage',
    async () => {
      const { connection, wrongConnection, stop } = await startAzure()
      const validCredential = { vendor: 'azure', name: 'recordings', connection_string: connection }
      const open: Open = (credential) => recordingsByVendor(credential, account_sid)
      return {
        open,
        right: validCredential,
        wrong: { ...validCredential, connection_string: wrongConnection },
        refusal: failure.accessDenied,
        stop,
      }
    },
  ],
  [
    'Google Cloud Storage',
    async () => {
      const { address, serviceKey, wrongServiceKey, stop } = await startGoogleStorage()
      const validCredential = { vendor: 'google', name: 'recordings', service_key: serviceKey }
      const open: Open = (credential) => gcsStorage(credential, address)
      return {
        open,
        right: validCredential,
        wrong: { ...validCredential, service_key: wrongServiceKey },
        refusal: failure.wrongSecret,
        stop,
      }
    },
  ],
]

describe.each(setups)('recordings in %s', (_, start) => {
  let setup: Place
  beforeAll(async () => {
    setup = await start()
  })
  afterAll(() => setup.stop())

  const probed = async (credential: BucketCredential) => {
    const handle = await setup.open(credential)
    try {
      await testStorage(handle, timeoutSignal())
    } finally {
      handle.close()
    }
  }

  it('can be written, read unchanged, and deleted', async () => {
    const handle = await setup.open(setup.right)
    const key = '2026/11/21/a call.mp3'
    const content = Buffer.from([0, 1, 2, 255, 254, 13, 10, 13, 10, 45, 45])
    const about = { accountSid: account_sid, from: '+1 555' }
    const stream = Readable.from([content.subarray(0, 4), content.subarray(4)])
    await handle.write(key, { stream, size: content.length, type: 'audio/mp3', metadata: about }, timeoutSignal())
    const read = async (stretch?: { from: number; to: number }) => {
      const parts: Buffer[] = []
      for await (const part of await handle.open(key, timeoutSignal(), stretch)) parts.push(Buffer.from(part))
      return Buffer.concat(parts)
    }
    expect((await read()).equals(content)).toBe(true)
    expect((await read({ from: 2, to: 4 })).equals(content.subarray(2, 5))).toBe(true)
    expect(await handle.stat(key, timeoutSignal())).toMatchObject({
      size: content.length,
      metadata: { accountsid: account_sid, from: '+1 555' },
    })
    await handle.remove(key, timeoutSignal())
    expect(await handle.stat(key, timeoutSignal())).toBeUndefined()
    await expect(handle.open(key, timeoutSignal())).rejects.toThrow()
    handle.close()
  })

  it('pass the storage test', async () => {
    await expect(probed(setup.right)).resolves.toBeUndefined()
  })

  it('report a missing bucket', async () => {
    await expect(probed({ ...setup.right, name: 'elsewhere' })).rejects.toThrow(failure.write(failure.noBucket))
  })

  it('report why they are unreachable', async () => {
    await expect(probed(setup.wrong)).rejects.toThrow(failure.write(setup.refusal))
  })

  it('end when the signal aborts', async () => {
    const handle = await setup.open(setup.right)
    await expect(testStorage(handle, AbortSignal.abort())).rejects.toThrow(failure.write(failure.timeout))
    handle.close()
  })
})

describe('recordings in Amazon S3 without a key', () => {
  const bucket = { vendor: 'aws_s3', name: 'recordings', region: 'eu-west-1' }
  const role = { ...bucket, credential_type: 'assume_role', role_arn: knownRole }
  const machine = { ...bucket, credential_type: 'instance_profile' }
  let s3: Awaited<ReturnType<typeof startS3>>
  let sts: Awaited<ReturnType<typeof startTokenService>>
  beforeAll(async () => {
    s3 = await startS3()
    sts = await startTokenService(account_sid)
  })
  afterEach(() => vi.unstubAllEnvs())
  afterAll(() => Promise.all([s3.stop(), sts.stop()]))

  const probed = async (credential: BucketCredential, sid = account_sid) => {
    const handle = await s3Storage(credential, sid, { privateTargets: false, s3: s3.endpoint, sts: sts.address })
    await testStorage(handle, timeoutSignal()).finally(() => handle.close())
  }
  const asSomebody = () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'somebody')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
  }

  it('are reached by a role with the account as external ID', async () => {
    asSomebody()
    await expect(probed(role)).resolves.toBeUndefined()
    await expect(probed(role, randomUUID())).rejects.toThrow(failure.write(failure.roleDenied))
    await expect(probed({ ...role, role_arn: `${knownRole}-2` })).rejects.toThrow(failure.write(failure.roleDenied))
  })

  it("are reached with the machine's own identity, if it has one", async () => {
    const identity = await startMachineIdentity()
    vi.stubEnv('AWS_EC2_METADATA_SERVICE_ENDPOINT', identity.address)
    await expect(probed(machine)).resolves.toBeUndefined()
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
    await expect(probed(machine)).rejects.toThrow(failure.write(failure.noAwsCredentials))
    await identity.stop()
  })
})

describe('an unusable credential', () => {
  const compatible = { vendor: 's3_compatible', name: 'recordings', ...s3Key }
  const blob = (BlobEndpoint: string) => ({
    vendor: 'azure',
    name: 'recordings',
    connection_string: `DefaultEndpointsProtocol=http;AccountName=a;AccountKey=c2VjcmV0;BlobEndpoint=${BlobEndpoint}`,
  })
  const google = (service_key: string) => ({ vendor: 'google', name: 'recordings', service_key })

  it.each<[string, BucketCredential, string]>([
    ['a closed port', { ...compatible, endpoint: 'http://127.0.0.1:1' }, failure.write(failure.unreachable)],
    ['a closed port of Azure', blob('http://127.0.0.1:1/a'), failure.write(failure.unreachable)],
    ['an unknown host', { ...compatible, endpoint: 'http://bucket.invalid' }, failure.unknownHost],
    ['the metadata address', { ...compatible, endpoint: 'http://169.254.169.254' }, failure.unreachable],
    ['the metadata address as a number', { ...compatible, endpoint: 'http://2852039166/' }, failure.unreachable],
    [
      'the metadata address mapped to IPv6',
      { ...compatible, endpoint: 'http://[::ffff:169.254.169.254]' },
      failure.unreachable,
    ],
    ['the IPv6 metadata address', { ...compatible, endpoint: 'http://[fd00:ec2::254]' }, failure.unreachable],
    ['the metadata address through Azure', blob('http://169.254.169.254/a'), failure.unreachable],
    ['an invalid address', { ...compatible, endpoint: 'nonsense' }, messages.invalidEndpoint],
    [
      'a malformed connection string',
      { vendor: 'azure', name: 'x', connection_string: 'nonsense' },
      failure.malformedCredentials,
    ],
    ['a malformed key file', google('nonsense'), failure.malformedCredentials],
    [
      'a malformed private key',
      google(JSON.stringify({ client_email: 'a@b', private_key: 'nonsense' })),
      failure.malformedCredentials,
    ],
    ['an unknown vendor', { vendor: 'floppy' }, 'Does not support test for floppy'],
  ])('is reported: %s', async (_, credential, reason) => {
    const attempt = recordingsByVendor(credential, account_sid).then((handle) => testStorage(handle, timeoutSignal()))
    await expect(attempt).rejects.toThrow(new Error(reason))
  })
})
