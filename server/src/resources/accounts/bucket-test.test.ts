import { messages } from '@trunkline/contract/messages/bucket'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { s3Key, startS3 } from '../../../test/external/s3-double'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

describe.each(databaseEngines)('the test of a bucket credential (%s)', (databaseEngine) => {
  let backend: Backend
  let s3: Awaited<ReturnType<typeof startS3>>
  let acmeClient: ApiClient
  let accountPath: string
  let validCredential: object
  beforeAll(async () => {
    ;[backend, s3] = await Promise.all([
      startBackend({ databaseEngine, config: { bucketPrivateTargets: true } }),
      startS3(),
    ])
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
    accountPath = `/Accounts/${backend.testData.acme.account}`
    validCredential = { vendor: 's3_compatible', name: 'recordings', endpoint: s3.endpoint, ...s3Key }
  })
  beforeEach(() => acmeClient('PUT', accountPath, { bucket_credential: { vendor: 'none' } }))
  afterAll(() => Promise.all([backend.close(), s3.stop()]))

  const testCredential = (body: unknown) => acmeClient('POST', `${accountPath}/BucketCredentialTest`, body)

  it('reports ok and changes nothing', async () => {
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await testCredential({ ...validCredential, tags: [{ Key: 'a', Value: 'b' }] })).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('uses the stored credential if the secret is masked', async () => {
    const secret = 'a secret of some length'
    await acmeClient('PUT', accountPath, { bucket_credential: { ...validCredential, secret_access_key: secret } })
    const { body } = await acmeClient('GET', accountPath)
    expect(body.bucket_credential.secret_access_key).toMatch(/^a secrX+$/)
    expect(await testCredential({ ...body.bucket_credential, name: 'elsewhere' })).toMatchObject({
      body: { status: 'ok' },
    })
    expect(
      await testCredential({ ...body.bucket_credential, name: 'elsewhere', secret_access_key: secret }),
    ).toMatchObject({
      body: {
        status: 'failed',
        reason: 'The test file could not be written to the bucket. This bucket does not exist.',
      },
    })
  })

  it.each<[string, object, string]>([
    ['an unknown vendor', { vendor: 'floppy' }, 'Does not support test for floppy'],
    ['no vendor', { vendor: undefined }, 'Does not support test for '],
    ["the vendor 'none'", { vendor: 'none' }, 'Does not support test for none'],
    ['no name', { name: '' }, 'invalid aws bucket name: name is required'],
    ['no endpoint', { endpoint: undefined }, 'invalid endpoint uri: endpoint is required'],
    [
      'a masked secret although no secret is stored',
      { secret_access_key: 'abcdefXXXX' },
      'invalid aws S3 bucket credential: secret_access_key is required',
    ],
    ['a name that is a number', { name: 5 }, 'name must be a string'],
    [
      'another bucket',
      { name: 'elsewhere' },
      'The test file could not be written to the bucket. This bucket does not exist.',
    ],
    [
      'another key',
      { access_key_id: 'me' },
      'The test file could not be written to the bucket. This access key ID does not exist.',
    ],
    ['a link-local address', { endpoint: 'http://169.254.169.254' }, messages.failure.unreachable],
    [
      'the instance profile of the server',
      { vendor: 'aws_s3', region: 'eu-west-1', credential_type: 'instance_profile' },
      'Only an administrator can let an account use the instance profile of this server.',
    ],
    [
      'an incomplete key file',
      { vendor: 'google', service_key: '{}' },
      'The service key file must contain a private_key and a client_email.',
    ],
  ])('reports the reason for a failure: %s', async (_, overrides, reason) => {
    expect(await testCredential({ ...validCredential, ...overrides })).toMatchObject({
      status: 200,
      body: { status: 'failed', reason },
    })
  })

  it('reveals no secret in the response or the log', async () => {
    const secret = 'SECRETSECRETSECRET'
    for (const overrides of [
      { secret_access_key: secret, name: 'elsewhere' },
      { vendor: 'azure', connection_string: `AccountKey=${secret}` },
      { vendor: 'google', service_key: JSON.stringify({ client_email: 'a@b', private_key: secret }) },
    ]) {
      const { body } = await testCredential({ ...validCredential, ...overrides })
      expect(body.status).toBe('failed')
      expect(JSON.stringify(body)).not.toContain(secret)
    }
    expect(backend.log()).not.toContain(secret)
  })
})
