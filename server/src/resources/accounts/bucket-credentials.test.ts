import { messages } from '@trunkline/contract/messages/bucket'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'

const aws = {
  vendor: 'aws_s3',
  name: 'b',
  region: 'eu-west-1',
  access_key_id: 'AKIA',
  secret_access_key: 'abcdefSECRET',
}
const compatible = {
  vendor: 's3_compatible',
  name: 'b',
  endpoint: 'https://s3',
  access_key_id: 'AKIA',
  secret_access_key: 'abcdefSECRET',
}
const azure = { vendor: 'azure', name: 'c', connection_string: 'abcdefSECRET' }
const header = '-----BEGIN PRIVATE KEY-----\n'
const key = { client_email: 'a@b', private_key: `${header}abcdefSECRET\n-----END PRIVATE KEY-----\n` }
const google = { vendor: 'google', name: 'b', service_key: JSON.stringify(key) }

describe.each(engines)('bucket credentials (%s)', (engine) => {
  let backend: Backend
  let acme: ApiClient
  let north: ApiClient
  let path: string
  beforeAll(async () => {
    backend = await startBackend({ engine })
    acme = apiClient(backend.app, backend.world.keys.acme)
    north = apiClient(backend.app, backend.world.keys.north)
    path = `/Accounts/${backend.world.acme.account}`
  })
  afterAll(() => backend.close())

  const put = (bucket_credential: unknown) => acme('PUT', path, { bucket_credential })
  const shown = async () => (await acme('GET', path)).body.bucket_credential
  const readStored = async () => {
    const row = await backend.database.db
      .selectFrom('accounts')
      .select('bucket_credential')
      .where('account_sid', '=', backend.world.acme.account)
      .executeTakeFirstOrThrow()
    return row.bucket_credential
  }
  const readStoredCredential = async () => {
    const result = backend.services.encryption.decryptJson((await readStored())!)
    return result.ok ? result.value : undefined
  }

  it.each([
    ['aws_s3', aws, { ...aws, secret_access_key: 'abcdefXXXXXX' }],
    ['s3_compatible', compatible, { ...compatible, secret_access_key: 'abcdefXXXXXX' }],
    ['azure', azure, { ...azure, connection_string: 'abcdefXXXXXX' }],
  ])(
    'of %s are encrypted at rest, obscured wherever they are shown, and kept when they come back so',
    async (_, given, obscured) => {
      expect(await put({ ...given, tags: [{ Key: 'a', Value: 'b' }], more: 'x' })).toMatchObject({ status: 204 })
      expect(await readStored()).not.toContain('SECRET')
      expect(await readStoredCredential()).toEqual({ ...given, tags: [{ Key: 'a', Value: 'b' }] })
      const provider = `/ServiceProviders/${backend.world.providers.north}/Accounts`
      for (const list of ['/Accounts', '/Accounts?page=1', provider]) {
        const { body } = await north('GET', list)
        const rows: { account_sid: string; bucket_credential: unknown }[] = body.data ?? body
        expect(
          rows.find(({ account_sid }) => account_sid === backend.world.acme.account)!.bucket_credential,
        ).toMatchObject(obscured)
      }
      expect(await shown()).toMatchObject(obscured)
      expect(await put({ ...(await shown()), name: 'renamed' })).toMatchObject({ status: 204 })
      expect(await readStoredCredential()).toEqual({ ...given, name: 'renamed', tags: [{ Key: 'a', Value: 'b' }] })
    },
  )

  it.each([
    ['another endpoint', compatible, { ...compatible, endpoint: 'https://other.example.com' }],
    ['another vendor with an endpoint', aws, compatible],
  ])('keep no stored secret for %s', async (_, initialValue, after) => {
    await put(initialValue)
    const obscured = { ...after, secret_access_key: 'abcdefXXXXXX' }
    expect(await put(obscured)).toMatchObject({
      status: 422,
      body: { msg: messages.reenterSecret, field: 'bucket_credential.secret_access_key' },
    })
    expect(await readStoredCredential()).toEqual(initialValue)
    expect(await put(after)).toMatchObject({ status: 204 })
    expect(await readStoredCredential()).toEqual(after)
  })

  it('keep the stored secret for the same endpoint in another spelling', async () => {
    await put(compatible)
    const { status } = await put({ ...compatible, endpoint: 'HTTPS://s3/', secret_access_key: 'abcdefXXXXXX' })
    expect(status).toBe(204)
    expect(await readStoredCredential()).toMatchObject({ secret_access_key: compatible.secret_access_key })
  })

  it('do not show a short secret', async () => {
    await put({ ...aws, secret_access_key: 'SK' })
    expect(await shown()).toMatchObject({ secret_access_key: 'XXXXXXX' })
    expect(await put({ ...(await shown()), name: 'renamed' })).toMatchObject({ status: 204 })
    expect(await readStoredCredential()).toEqual({ ...aws, name: 'renamed', secret_access_key: 'SK' })
  })

  it('of Google hide only the private key', async () => {
    await put(google)
    const back = await shown()
    const received = JSON.parse(back.service_key)
    expect(received.client_email).toBe('a@b')
    expect(received.private_key).toMatch(/^-----BEGIN PRIVATE KEY-----\nabcdefX+$/)
    expect(await put({ ...back, name: 'renamed' })).toMatchObject({ status: 204 })
    expect(await readStoredCredential()).toEqual({ ...google, name: 'renamed' })
  })

  it('stay if the body omits them, and are removed by null, none and an empty object', async () => {
    for (const none of [null, { vendor: 'none' }, { vendor: '' }, {}]) {
      await put(aws)
      await acme('PUT', path, { record_format: 'wav' })
      expect(await shown()).not.toBeNull()
      expect(await put(none)).toMatchObject({ status: 204 })
      expect(await readStored()).toBeNull()
      expect(await shown()).toBeNull()
    }
  })

  it.each([
    ['vendor', { vendor: 'floppy' }, 'unknown storage vendor: floppy'],
    ['access_key_id', { ...aws, access_key_id: '' }, 'invalid aws S3 bucket credential: access_key_id is required'],
    [
      'secret_access_key',
      { ...aws, secret_access_key: undefined },
      'invalid aws S3 bucket credential: secret_access_key is required',
    ],
    ['name', { ...aws, name: undefined }, 'invalid aws bucket name: name is required'],
    ['region', { ...aws, region: undefined }, 'invalid aws bucket region: region is required'],
    ['region', { ...aws, region: 'x.example.com' }, messages.unknownRegion],
    ['endpoint', { ...compatible, endpoint: undefined }, 'invalid endpoint uri: endpoint is required'],
    ['service_key', { vendor: 'google' }, 'invalid google cloud storage credential: service_key is required'],
    ['name', { ...azure, name: undefined }, 'invalid azure container name: name is required'],
    [
      'connection_string',
      { ...azure, connection_string: 'abcdefXXXX' },
      'invalid azure cloud storage credential: connection_string is required',
    ],
  ])('without %s, or with one that is none, are refused', async (field, credential, msg) => {
    await put(null)
    const initialSnapshot = await snapshot(backend.database)
    expect(await put(credential)).toMatchObject({ status: 400, body: { msg, field: `bucket_credential.${field}` } })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  const role = {
    vendor: 'aws_s3',
    name: 'b',
    region: 'eu-west-1',
    credential_type: 'assume_role',
    role_arn: 'arn:aws:x',
  }
  const machine = { vendor: 'aws_s3', name: 'b', region: 'eu-west-1', credential_type: 'instance_profile' }

  it('of AWS by role store the role and no key', async () => {
    expect(await put({ ...aws, ...role })).toMatchObject({ status: 204 })
    expect(await readStoredCredential()).toEqual(role)
    expect(await shown()).toEqual(role)
  })

  it('of AWS by key are stored without a type, as other programs expect', async () => {
    expect(await put({ ...aws, credential_type: 'access_key', role_arn: null, tags: null })).toMatchObject({
      status: 204,
    })
    expect(await readStoredCredential()).toEqual(aws)
  })

  it('of AWS by instance profile are set by administrators only, and kept by others', async () => {
    const refusal = {
      status: 403,
      body: {
        msg: 'Only an administrator can let an account use the instance profile of the server.',
        field: 'bucket_credential.credential_type',
      },
    }
    const admin = apiClient(backend.app, backend.world.keys.admin)
    await put(aws)
    for (const other of [acme, north])
      expect(await other('PUT', path, { bucket_credential: machine })).toMatchObject(refusal)
    expect(await admin('PUT', path, { bucket_credential: machine })).toMatchObject({ status: 204 })
    const tags = [{ Key: 'a', Value: 'b' }]
    for (const other of [acme, north]) {
      expect(await other('PUT', path, { bucket_credential: { ...machine, name: 'another' } })).toMatchObject(refusal)
      expect(await other('PUT', path, { bucket_credential: { ...machine, tags } })).toMatchObject({ status: 204 })
    }
    expect(await readStoredCredential()).toEqual({ ...machine, tags })
  })

  it.each<[string, unknown, string, string]>([
    [
      'a role without its ARN',
      { ...role, role_arn: '' },
      'role_arn',
      'invalid aws S3 bucket credential: role_arn is required',
    ],
    [
      'an unknown credential type',
      { ...aws, credential_type: 'magic' },
      'credential_type',
      'bucket_credential.credential_type must be one of access_key, assume_role, instance_profile',
    ],
    [
      'an invalid endpoint',
      { ...compatible, endpoint: 'ftp://s3' },
      'endpoint',
      'The endpoint must be a URL that starts with http:// or https://.',
    ],
    [
      'an invalid key file',
      { ...google, service_key: '{' },
      'service_key',
      'Invalid service key file, could not parse as JSON.',
    ],
    [
      'an incomplete key file',
      { ...google, service_key: '{"client_email":"a@b"}' },
      'service_key',
      'The service key file must contain a private_key and a client_email.',
    ],
    [
      'an object as the secret',
      { ...aws, secret_access_key: { a: 1 } },
      'secret_access_key',
      'bucket_credential.secret_access_key must be a string',
    ],
    [
      'a tag without a value',
      { ...aws, tags: [{ Key: 'a', Value: '' }] },
      'tags.0.Value',
      'Enter a name and a value for each tag.',
    ],
    [
      'a tag without a name',
      { ...aws, tags: [{ Key: '', Value: 'a' }] },
      'tags.0.Key',
      'Enter a name and a value for each tag.',
    ],
    [
      'a duplicate tag',
      {
        ...aws,
        tags: [
          { Key: 'a', Value: '1' },
          { Key: 'a', Value: '2' },
        ],
      },
      'tags.1.Key',
      'Tag names must be unique.',
    ],
    ['tags that are not a list', { ...aws, tags: 'a' }, 'tags', 'bucket_credential.tags must be a list'],
  ])('with %s are refused', async (_, credential, field, msg) => {
    await put(null)
    expect(await put(credential)).toMatchObject({ status: 400, body: { msg, field: `bucket_credential.${field}` } })
    expect(await readStored()).toBeNull()
  })

  it('are refused if longer than their column', async () => {
    const tags = Array.from({ length: 20 }, (_, n) => ({ Key: `tag ${n}`, Value: 'v'.repeat(256) }))
    expect(await put({ ...aws, tags })).toMatchObject({
      status: 400,
      body: { msg: 'The bucket credential is too long to be stored.', field: 'bucket_credential' },
    })
  })

  it('are shown as null if unreadable, and do not break a list', async () => {
    for (const broken of ['nonsense', '{"iv":"00","content":"00"}']) {
      await backend.database.db
        .updateTable('accounts')
        .set({ bucket_credential: broken })
        .where('account_sid', '=', backend.world.acme.account)
        .execute()
      expect(await shown()).toBeNull()
      expect(await north('GET', '/Accounts')).toMatchObject({ status: 200 })
    }
  })
})
