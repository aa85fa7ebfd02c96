import { messages } from '@trunkline/contract/messages/bucket'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

const awsCredential = {
  vendor: 'aws_s3',
  name: 'b',
  region: 'eu-west-1',
  access_key_id: 'AKIA',
  secret_access_key: 'abcdefSECRET',
}
const s3CompatibleCredential = {
  vendor: 's3_compatible',
  name: 'b',
  endpoint: 'https://s3',
  access_key_id: 'AKIA',
  secret_access_key: 'abcdefSECRET',
}
const azureCredential = { vendor: 'azure', name: 'c', connection_string: 'abcdefSECRET' }
const pemHeader = '-----BEGIN PRIVATE KEY-----\n'
const serviceKey = { client_email: 'a@b', private_key: `${pemHeader}abcdefSECRET\n-----END PRIVATE KEY-----\n` }
const googleCredential = { vendor: 'google', name: 'b', service_key: JSON.stringify(serviceKey) }

describe.each(databaseEngines)('bucket credentials (%s)', (databaseEngine) => {
  let backend: Backend
  let acmeClient: ApiClient
  let northClient: ApiClient
  let accountPath: string
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
    northClient = createApiClient(backend.app, backend.testData.keys.north)
    accountPath = `/Accounts/${backend.testData.acme.account}`
  })
  afterAll(() => backend.close())

  const putCredential = (bucket_credential: unknown) => acmeClient('PUT', accountPath, { bucket_credential })
  const fetchCredential = async () => (await acmeClient('GET', accountPath)).body.bucket_credential
  const readCiphertext = async () => {
    const row = await backend.database.db
      .selectFrom('accounts')
      .select('bucket_credential')
      .where('account_sid', '=', backend.testData.acme.account)
      .executeTakeFirstOrThrow()
    return row.bucket_credential
  }
  const readStoredCredential = async () => {
    const result = backend.services.encryption.decryptJson((await readCiphertext())!)
    return result.ok ? result.value : undefined
  }

  it.each([
    ['aws_s3', awsCredential, { ...awsCredential, secret_access_key: 'abcdefXXXXXX' }],
    ['s3_compatible', s3CompatibleCredential, { ...s3CompatibleCredential, secret_access_key: 'abcdefXXXXXX' }],
    ['azure', azureCredential, { ...azureCredential, connection_string: 'abcdefXXXXXX' }],
  ])(
    'of %s are encrypted at rest, returned with a masked secret, and keep the secret if it is sent back masked',
    async (_, credential, masked) => {
      expect(
        await putCredential({ ...credential, tags: [{ Key: 'a', Value: 'b' }], unknown_field: 'x' }),
      ).toMatchObject({ status: 204 })
      expect(await readCiphertext()).not.toContain('SECRET')
      expect(await readStoredCredential()).toEqual({ ...credential, tags: [{ Key: 'a', Value: 'b' }] })
      const accountsOfProvider = `/ServiceProviders/${backend.testData.providers.north}/Accounts`
      for (const listPath of ['/Accounts', '/Accounts?page=1', accountsOfProvider]) {
        const { body } = await northClient('GET', listPath)
        const rows: { account_sid: string; bucket_credential: unknown }[] = body.data ?? body
        expect(
          rows.find(({ account_sid }) => account_sid === backend.testData.acme.account)!.bucket_credential,
        ).toMatchObject(masked)
      }
      expect(await fetchCredential()).toMatchObject(masked)
      expect(await putCredential({ ...(await fetchCredential()), name: 'renamed' })).toMatchObject({ status: 204 })
      expect(await readStoredCredential()).toEqual({ ...credential, name: 'renamed', tags: [{ Key: 'a', Value: 'b' }] })
    },
  )

  it.each([
    ['another endpoint', s3CompatibleCredential, { ...s3CompatibleCredential, endpoint: 'https://other.example.com' }],
    ['another vendor with an endpoint', awsCredential, s3CompatibleCredential],
  ])('do not keep the stored secret for %s', async (_, initialCredential, newCredential) => {
    await putCredential(initialCredential)
    const withMaskedSecret = { ...newCredential, secret_access_key: 'abcdefXXXXXX' }
    expect(await putCredential(withMaskedSecret)).toMatchObject({
      status: 422,
      body: { msg: messages.reenterSecret, field: 'bucket_credential.secret_access_key' },
    })
    expect(await readStoredCredential()).toEqual(initialCredential)
    expect(await putCredential(newCredential)).toMatchObject({ status: 204 })
    expect(await readStoredCredential()).toEqual(newCredential)
  })

  it('keep the stored secret if the endpoint is only spelled differently', async () => {
    await putCredential(s3CompatibleCredential)
    const { status } = await putCredential({
      ...s3CompatibleCredential,
      endpoint: 'HTTPS://s3/',
      secret_access_key: 'abcdefXXXXXX',
    })
    expect(status).toBe(204)
    expect(await readStoredCredential()).toMatchObject({ secret_access_key: s3CompatibleCredential.secret_access_key })
  })

  it('mask a short secret completely', async () => {
    await putCredential({ ...awsCredential, secret_access_key: 'SK' })
    expect(await fetchCredential()).toMatchObject({ secret_access_key: 'XXXXXXX' })
    expect(await putCredential({ ...(await fetchCredential()), name: 'renamed' })).toMatchObject({ status: 204 })
    expect(await readStoredCredential()).toEqual({ ...awsCredential, name: 'renamed', secret_access_key: 'SK' })
  })

  it('of Google mask only the private key', async () => {
    await putCredential(googleCredential)
    const maskedCredential = await fetchCredential()
    const maskedServiceKey = JSON.parse(maskedCredential.service_key)
    expect(maskedServiceKey.client_email).toBe('a@b')
    expect(maskedServiceKey.private_key).toMatch(/^-----BEGIN PRIVATE KEY-----\nabcdefX+$/)
    expect(await putCredential({ ...maskedCredential, name: 'renamed' })).toMatchObject({ status: 204 })
    expect(await readStoredCredential()).toEqual({ ...googleCredential, name: 'renamed' })
  })

  it("stay if the body omits them, and are removed by null, the vendor 'none' and an empty object", async () => {
    for (const emptyCredential of [null, { vendor: 'none' }, { vendor: '' }, {}]) {
      await putCredential(awsCredential)
      await acmeClient('PUT', accountPath, { record_format: 'wav' })
      expect(await fetchCredential()).not.toBeNull()
      expect(await putCredential(emptyCredential)).toMatchObject({ status: 204 })
      expect(await readCiphertext()).toBeNull()
      expect(await fetchCredential()).toBeNull()
    }
  })

  it.each([
    ['vendor', { vendor: 'floppy' }, 'unknown storage vendor: floppy'],
    [
      'access_key_id',
      { ...awsCredential, access_key_id: '' },
      'invalid aws S3 bucket credential: access_key_id is required',
    ],
    [
      'secret_access_key',
      { ...awsCredential, secret_access_key: undefined },
      'invalid aws S3 bucket credential: secret_access_key is required',
    ],
    ['name', { ...awsCredential, name: undefined }, 'invalid aws bucket name: name is required'],
    ['region', { ...awsCredential, region: undefined }, 'invalid aws bucket region: region is required'],
    ['region', { ...awsCredential, region: 'x.example.com' }, messages.unknownRegion],
    ['endpoint', { ...s3CompatibleCredential, endpoint: undefined }, 'invalid endpoint uri: endpoint is required'],
    ['service_key', { vendor: 'google' }, 'invalid google cloud storage credential: service_key is required'],
    ['name', { ...azureCredential, name: undefined }, 'invalid azure container name: name is required'],
    [
      'connection_string',
      { ...azureCredential, connection_string: 'abcdefXXXX' },
      'invalid azure cloud storage credential: connection_string is required',
    ],
  ])('are refused with a missing or invalid %s', async (field, credential, msg) => {
    await putCredential(null)
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await putCredential(credential)).toMatchObject({
      status: 400,
      body: { msg, field: `bucket_credential.${field}` },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  const assumedRole = {
    vendor: 'aws_s3',
    name: 'b',
    region: 'eu-west-1',
    credential_type: 'assume_role',
    role_arn: 'arn:aws:x',
  }
  const instanceProfile = { vendor: 'aws_s3', name: 'b', region: 'eu-west-1', credential_type: 'instance_profile' }

  it('of AWS by role are stored without a key', async () => {
    expect(await putCredential({ ...awsCredential, ...assumedRole })).toMatchObject({ status: 204 })
    expect(await readStoredCredential()).toEqual(assumedRole)
    expect(await fetchCredential()).toEqual(assumedRole)
  })

  it('of AWS by key are stored without a type, as voice servers expect', async () => {
    expect(
      await putCredential({ ...awsCredential, credential_type: 'access_key', role_arn: null, tags: null }),
    ).toMatchObject({
      status: 204,
    })
    expect(await readStoredCredential()).toEqual(awsCredential)
  })

  it('of AWS by instance profile can be set by administrators only, and sent back unchanged by others', async () => {
    const refusal = {
      status: 403,
      body: {
        msg: 'Only an administrator can let an account use the instance profile of this server.',
        field: 'bucket_credential.credential_type',
      },
    }
    const adminClient = createApiClient(backend.app, backend.testData.keys.admin)
    await putCredential(awsCredential)
    for (const request of [acmeClient, northClient])
      expect(await request('PUT', accountPath, { bucket_credential: instanceProfile })).toMatchObject(refusal)
    expect(await adminClient('PUT', accountPath, { bucket_credential: instanceProfile })).toMatchObject({ status: 204 })
    const tags = [{ Key: 'a', Value: 'b' }]
    for (const request of [acmeClient, northClient]) {
      expect(
        await request('PUT', accountPath, { bucket_credential: { ...instanceProfile, name: 'another' } }),
      ).toMatchObject(refusal)
      expect(await request('PUT', accountPath, { bucket_credential: { ...instanceProfile, tags } })).toMatchObject({
        status: 204,
      })
    }
    expect(await readStoredCredential()).toEqual({ ...instanceProfile, tags })
  })

  it.each<[string, unknown, string, string]>([
    [
      'a role without its ARN',
      { ...assumedRole, role_arn: '' },
      'role_arn',
      'invalid aws S3 bucket credential: role_arn is required',
    ],
    [
      'an unknown credential type',
      { ...awsCredential, credential_type: 'magic' },
      'credential_type',
      'bucket_credential.credential_type must be one of access_key, assume_role, instance_profile',
    ],
    [
      'an invalid endpoint',
      { ...s3CompatibleCredential, endpoint: 'ftp://s3' },
      'endpoint',
      'The endpoint must be a URL that starts with http:// or https://.',
    ],
    [
      'an invalid key file',
      { ...googleCredential, service_key: '{' },
      'service_key',
      'Invalid service key file, could not parse as JSON.',
    ],
    [
      'an incomplete key file',
      { ...googleCredential, service_key: '{"client_email":"a@b"}' },
      'service_key',
      'The service key file must contain a private_key and a client_email.',
    ],
    [
      'an object as the secret',
      { ...awsCredential, secret_access_key: { a: 1 } },
      'secret_access_key',
      'bucket_credential.secret_access_key must be a string',
    ],
    [
      'a tag without a value',
      { ...awsCredential, tags: [{ Key: 'a', Value: '' }] },
      'tags.0.Value',
      'Enter a name and a value for each tag.',
    ],
    [
      'a tag without a name',
      { ...awsCredential, tags: [{ Key: '', Value: 'a' }] },
      'tags.0.Key',
      'Enter a name and a value for each tag.',
    ],
    [
      'a duplicate tag',
      {
        ...awsCredential,
        tags: [
          { Key: 'a', Value: '1' },
          { Key: 'a', Value: '2' },
        ],
      },
      'tags.1.Key',
      'Tag names must be unique.',
    ],
    ['tags that are not a list', { ...awsCredential, tags: 'a' }, 'tags', 'bucket_credential.tags must be a list'],
  ])('with %s are refused', async (_, credential, field, msg) => {
    await putCredential(null)
    expect(await putCredential(credential)).toMatchObject({
      status: 400,
      body: { msg, field: `bucket_credential.${field}` },
    })
    expect(await readCiphertext()).toBeNull()
  })

  it('are refused if the ciphertext does not fit into its column', async () => {
    const tags = Array.from({ length: 20 }, (_, index) => ({ Key: `tag ${index}`, Value: 'v'.repeat(256) }))
    expect(await putCredential({ ...awsCredential, tags })).toMatchObject({
      status: 400,
      body: { msg: 'The bucket credential is too long to be stored.', field: 'bucket_credential' },
    })
  })

  it('are returned as null if they cannot be decrypted, and do not break a list', async () => {
    for (const unreadableValue of ['nonsense', '{"iv":"00","content":"00"}']) {
      await backend.database.db
        .updateTable('accounts')
        .set({ bucket_credential: unreadableValue })
        .where('account_sid', '=', backend.testData.acme.account)
        .execute()
      expect(await fetchCredential()).toBeNull()
      expect(await northClient('GET', '/Accounts')).toMatchObject({ status: 200 })
    }
  })
})
