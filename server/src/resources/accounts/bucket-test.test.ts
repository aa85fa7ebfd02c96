import { messages } from '@trunkline/contract/messages/bucket'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { s3Key, startS3 } from '../../../test/external/s3-double'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'

describe.each(engines)('the test of a bucket credential (%s)', (engine) => {
  let backend: Backend
  let s3: Awaited<ReturnType<typeof startS3>>
  let acme: ApiClient
  let path: string
  let validCredential: object
  beforeAll(async () => {
    ;[backend, s3] = await Promise.all([startBackend({ engine, config: { bucketPrivateTargets: true } }), startS3()])
    acme = apiClient(backend.app, backend.world.keys.acme)
    path = `/Accounts/${backend.world.acme.account}`
    validCredential = { vendor: 's3_compatible', name: 'recordings', endpoint: s3.endpoint, ...s3Key }
  })
  beforeEach(() => acme('PUT', path, { bucket_credential: { vendor: 'none' } }))
  afterAll(() => Promise.all([backend.close(), s3.stop()]))

  const test = (body: unknown) => acme('POST', `${path}/BucketCredentialTest`, body)

  it('reports ok and changes nothing', async () => {
    const initialSnapshot = await snapshot(backend.database)
    expect(await test({ ...validCredential, tags: [{ Key: 'a', Value: 'b' }] })).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('uses the stored credential if the secret is masked', async () => {
    const secret = 'a secret of some length'
    await acme('PUT', path, { bucket_credential: { ...validCredential, secret_access_key: secret } })
    const { body } = await acme('GET', path)
    expect(body.bucket_credential.secret_access_key).toMatch(/^a secrX+$/)
    expect(await test({ ...body.bucket_credential, name: 'elsewhere' })).toMatchObject({ body: { status: 'ok' } })
    expect(await test({ ...body.bucket_credential, name: 'elsewhere', secret_access_key: secret })).toMatchObject({
      body: {
        status: 'failed',
        reason: 'The test file could not be written to the bucket. This bucket does not exist.',
      },
    })
  })

  it.each<[string, object, string]>([
    ['an unknown vendor', { vendor: 'floppy' }, 'Does not support test for floppy'],
    ['no vendor', { vendor: undefined }, 'Does not support test for '],
    ['none', { vendor: 'none' }, 'Does not support test for none'],
    ['no name', { name: '' }, 'invalid aws bucket name: name is required'],
    ['no endpoint', { endpoint: undefined }, 'invalid endpoint uri: endpoint is required'],
    [
      'an obscured secret where none is stored',
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
    ['the address of this machine', { endpoint: 'http://169.254.169.254' }, messages.failure.unreachable],
    [
      'the instance profile of the server',
      { vendor: 'aws_s3', region: 'eu-west-1', credential_type: 'instance_profile' },
      'Only an administrator can let an account use the instance profile of the server.',
    ],
    [
      'an incomplete key file',
      { vendor: 'google', service_key: '{}' },
      'The service key file must contain a private_key and a client_email.',
    ],
  ])('says what is wrong: %s', async (_, change, reason) => {
    expect(await test({ ...validCredential, ...change })).toMatchObject({
      status: 200,
      body: { status: 'failed', reason },
    })
  })

  it('leaves no secret in response or log', async () => {
    const secret = 'SECRETSECRETSECRET'
    for (const change of [
      { secret_access_key: secret, name: 'elsewhere' },
      { vendor: 'azure', connection_string: `AccountKey=${secret}` },
      { vendor: 'google', service_key: JSON.stringify({ client_email: 'a@b', private_key: secret }) },
    ]) {
      const { body } = await test({ ...validCredential, ...change })
      expect(body.status).toBe('failed')
      expect(JSON.stringify(body)).not.toContain(secret)
    }
    expect(backend.log()).not.toContain(secret)
  })
})
