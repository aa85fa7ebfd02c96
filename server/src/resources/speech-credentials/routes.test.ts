import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packCredential } from '@trunkline/contract/speech/credential'
import { getVendorName, findVendorById } from '@trunkline/contract/speech/vendors'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, type ApiClient } from '../../../test/api-client'

const privateKey = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'
const serviceKeyOf = (private_key: string) =>
  JSON.stringify({
    type: 'service_account',
    private_key: `-----BEGIN PRIVATE KEY-----\n${private_key}\n-----END PRIVATE KEY-----\n`,
    client_email: 'speech@example.iam.gserviceaccount.com',
  })

/** Credentials of different kinds, and their secrets as responses contain them. */
const cases: { vendor: string; fields: Record<string, unknown>; maskedFields: Record<string, string> }[] = [
  {
    vendor: 'aws',
    fields: { aws_region: 'us-east-1', access_key_id: 'AKIAEXAMPLE', secret_access_key: 'abcdef123456' },
    maskedFields: { secret_access_key: 'abcdefXXXXXX' },
  },
  { vendor: 'aws', fields: { aws_region: 'us-east-1', role_arn: 'arn:aws:iam::1:role/x' }, maskedFields: {} },
  {
    vendor: 'ibm',
    fields: {
      tts_region: 'us-east',
      tts_api_key: 'ttskey99',
      stt_region: 'eu-de',
      stt_api_key: 'sttkey99',
      instance_id: 'i',
    },
    maskedFields: { tts_api_key: 'ttskeyXX', stt_api_key: 'sttkeyXX' },
  },
  {
    vendor: 'microsoft',
    fields: { region: 'westeurope', api_key: 'azurekey1', use_custom_tts: 1, custom_tts_endpoint: 'deployment' },
    maskedFields: { api_key: 'azurekXXX' },
  },
  {
    vendor: 'custom:mill',
    fields: { auth_token: 'tokentoken', custom_tts_url: 'https://mill.example.com/', custom_stt_url: 'wss://mill' },
    maskedFields: { auth_token: 'tokentXXXX' },
  },
  { vendor: 'soniox', fields: { api_key: 'short' }, maskedFields: { api_key: 'XXXXXXX' } },
]

describe.each(databaseEngines)('speech credentials (%s)', (databaseEngine) => {
  let backend: Backend
  let adminClient: ApiClient
  let northClient: ApiClient
  let acmeClient: ApiClient
  let providerPath: string
  let accountPath: string
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    const clientOf = (name: 'admin' | 'north' | 'acme') => createApiClient(backend.app, backend.testData.keys[name])
    ;[adminClient, northClient, acmeClient] = [clientOf('admin'), clientOf('north'), clientOf('acme')]
    providerPath = `/ServiceProviders/${backend.testData.providers.north}/SpeechCredentials`
    accountPath = `/Accounts/${backend.testData.acme.account}/SpeechCredentials`
  })
  afterAll(() => backend.close())

  const create = async (body: object, client = northClient, path = providerPath): Promise<string> => {
    const response = await client('POST', path, body)
    expect(response).toMatchObject({ status: 201, body: { sid: expect.any(String) } })
    return response.body.sid
  }
  const read = (sid: string) => adminClient('GET', `${providerPath}/${sid}`).then(({ body }) => body)
  const decryptStored = async (sid: string) => {
    const row = await backend.database.db
      .selectFrom('speech_credentials')
      .select('credential')
      .where('speech_credential_sid', '=', sid)
      .executeTakeFirstOrThrow()
    const decrypted = backend.services.encryption.decryptJson(row.credential)
    return decrypted.ok ? decrypted.value : decrypted.reason
  }

  it.each(cases)(
    "of $vendor are stored encrypted in the platform's format, and returned with masked secrets",
    async (credentialCase) => {
      const { vendor, fields, maskedFields } = credentialCase
      const sid = await create({ vendor, ...fields })
      expect(await decryptStored(sid)).toEqual(fields)
      expect(await read(sid)).toEqual({
        speech_credential_sid: sid,
        service_provider_sid: backend.testData.providers.north,
        account_sid: null,
        account_name: null,
        vendor,
        use_for_tts: 1,
        use_for_stt: 1,
        last_used: null,
        last_tested: null,
        tts_tested_ok: null,
        stt_tested_ok: null,
        created_at: expect.stringMatching(/Z$/),
        label: null,
        ...fields,
        ...maskedFields,
      })
      const rows = (await adminClient('GET', providerPath)).body as Record<string, unknown>[]
      expect(rows.find((row) => row.speech_credential_sid === sid)).toMatchObject({ ...fields, ...maskedFields })
    },
  )

  it('of a Deepgram container accept URLs and return flags as they were sent', async () => {
    const fields = {
      deepgram_stt_uri: '10.0.0.1:50002',
      deepgram_tts_uri: 'https://dg.example.com',
      deepgram_stt_use_tls: true,
    }
    const sid = await create({ vendor: 'deepgram', ...fields })
    expect(await read(sid)).toMatchObject({ ...fields, model_id: null })
    const changes = { ...fields, deepgram_tts_uri: 'https://other.example.com', deepgram_stt_use_tls: false }
    expect(await northClient('PUT', `${providerPath}/${sid}`, { use_for_tts: 1, ...changes })).toMatchObject({
      status: 204,
    })
    expect(await read(sid)).toMatchObject({ ...changes, model_id: null })
  })

  it('keep their test result if a flag is sent back with another type', async () => {
    const fields = { deepgram_stt_uri: '10.0.0.1:1', deepgram_tts_uri: '10.0.0.1:2', api_key: 'key-of-deepgram' }
    const sid = await create({ vendor: 'deepgram', ...fields, deepgram_stt_use_tls: true })
    const credentialBeforeUpdate = await backend.services.speechCredentials.decrypt(sid)
    await backend.services.speechCredentials.saveTestResult(credentialBeforeUpdate!, { tts: true })
    await northClient('PUT', `${providerPath}/${sid}`, { use_for_tts: 1, deepgram_stt_use_tls: 1 })
    expect(await read(sid)).toMatchObject({ tts_tested_ok: 1, deepgram_stt_use_tls: true })
  })

  it('of Google are stored as the service key with the model', async () => {
    const service_key = serviceKeyOf(privateKey)
    const sid = await create({ vendor: 'google', service_key, model_id: 'gemini', use_for_stt: 0 })
    expect(await decryptStored(sid)).toEqual({ ...(JSON.parse(service_key) as object), model_id: 'gemini' })
    const row = await read(sid)
    expect(row).toMatchObject({ model_id: 'gemini', use_for_tts: 1, use_for_stt: 0 })
    const maskedKey = JSON.parse(row.service_key as string) as Record<string, string>
    expect(maskedKey).toMatchObject({ type: 'service_account', client_email: 'speech@example.iam.gserviceaccount.com' })
    expect(maskedKey.private_key).toMatch(/^-----BEGIN PRIVATE KEY-----\nMIIEvQX+$/)
  })

  it('stored by another program are readable, and keep their other fields', async () => {
    const speech_credential_sid = randomUUID()
    const credential = backend.services.encryption.encrypt(
      JSON.stringify({ api_key: 'abcdefgh', model_id: 'sonic', odd: 1 }),
    )
    await backend.services.speechCredentials.insert({
      speech_credential_sid,
      vendor: 'cartesia',
      credential,
      service_provider_sid: backend.testData.providers.north,
    })
    expect(await read(speech_credential_sid)).toMatchObject({ api_key: 'abcdefXX', model_id: 'sonic' })
    expect(await backend.services.speechCredentials.decrypt(speech_credential_sid)).toEqual({
      speech_credential_sid,
      owner: backend.testData.providers.north,
      vendor: 'cartesia',
      label: null,
      use_for_tts: 1,
      use_for_stt: 1,
      fields: { api_key: 'abcdefgh', model_id: 'sonic' },
      otherFields: { odd: 1 },
      credential,
    })
    // The stored credential has no recognition model. A direction can still be switched off.
    expect((await northClient('PUT', `${providerPath}/${speech_credential_sid}`, { use_for_tts: 0 })).status).toBe(204)
    const changes = { use_for_tts: 1, use_for_stt: 0, model_id: 'sonic-2' }
    expect((await northClient('PUT', `${providerPath}/${speech_credential_sid}`, changes)).status).toBe(204)
    expect(await decryptStored(speech_credential_sid)).toEqual({ api_key: 'abcdefgh', model_id: 'sonic-2', odd: 1 })
  })

  it('belong to the tenant in the path, within the scope of the actor', async () => {
    const { acme: acmeRecords, corp, providers } = backend.testData
    const ownerOf = async (sid: string) => {
      const { account_sid, service_provider_sid, account_name } = await read(sid)
      return { account_sid, service_provider_sid, account_name }
    }
    const draft = { vendor: 'soniox', api_key: 'k' }
    const acmeOwner = { account_sid: acmeRecords.account, service_provider_sid: providers.north, account_name: 'acme' }
    const northOwner = { account_sid: null, service_provider_sid: providers.north, account_name: null }
    const foreignTenant = { account_sid: corp.account, service_provider_sid: providers.south }
    for (const client of [adminClient, northClient, acmeClient])
      expect(await ownerOf(await create({ ...draft, ...foreignTenant }, client, accountPath))).toEqual(acmeOwner)
    expect(await ownerOf(await create({ ...draft, ...foreignTenant }, acmeClient))).toEqual(acmeOwner)
    expect(await ownerOf(await create({ ...draft, account_sid: acmeRecords.account }))).toEqual(acmeOwner)
    expect(await ownerOf(await create({ ...draft, service_provider_sid: providers.south }))).toEqual(northOwner)
  })

  it('are found only at the URL of their tenant', async () => {
    const { bolt, shared, providers } = backend.testData
    const notFound = { status: 404, body: 'Not Found' }
    for (const [client, path] of [
      [adminClient, `${accountPath}/${bolt.speech_credential}`],
      [northClient, `${accountPath}/${bolt.speech_credential}`],
      [adminClient, `${providerPath}/${shared.south.speech_credential}`],
      [adminClient, `${providerPath}/${randomUUID()}`],
      [adminClient, `/Accounts/${randomUUID()}/SpeechCredentials`],
    ] as const)
      expect(await client('GET', path)).toMatchObject(notFound)
    expect((await northClient('GET', `${accountPath}/${shared.north.speech_credential}`)).status).toBe(200)
    const southPath = `/ServiceProviders/${providers.south}/SpeechCredentials`
    expect(await adminClient('DELETE', `${southPath}/${shared.north.speech_credential}`)).toMatchObject(notFound)
  })

  it('of a provider are paged, and searched by vendor and label', async () => {
    const label = randomUUID()
    const houndifySid = await create(
      { vendor: 'houndify', client_id: 'i', client_key: 'k', user_id: 'u', label },
      northClient,
      accountPath,
    )
    const { body } = await northClient('GET', `${providerPath}?page=1&page_size=100&sort=-vendor`)
    expect(body.total).toBe(body.data.length)
    // SoundHound is sorted under its display name, not under Houndify.
    const names = (body.data as { vendor: string }[]).map(({ vendor }) => getVendorName(vendor).toLowerCase())
    expect(names).toEqual(names.toSorted().toReversed())
    expect(names).toContain('soundhound')
    const sids = async (query: string) =>
      (
        (await northClient('GET', `${providerPath}?page=1&${query}`)).body.data as { speech_credential_sid: string }[]
      ).map(({ speech_credential_sid }) => speech_credential_sid)
    for (const query of ['name=soundH', 'name=HOUNDIFY', `name=${label.slice(3)}`])
      expect(await sids(query)).toEqual([houndifySid])
    expect(await sids(`account_sid=${backend.testData.acme.account}&name=hound`)).toEqual([houndifySid])
    expect(await sids(`account_sid=${backend.testData.bolt.account}&name=hound`)).toEqual([])
  })

  it('require a unique label per vendor and owner', async () => {
    const label = 'twice'
    const draft = { vendor: 'soniox', api_key: 'k', label }
    await create(draft)
    const duplicateLabel = {
      status: 422,
      body: { msg: 'Label twice is already in use for another speech credential', field: 'label' },
    }
    expect(await northClient('POST', providerPath, draft)).toMatchObject(duplicateLabel)
    await create({ ...draft, vendor: 'voxist' })
    await create(draft, acmeClient, accountPath)
    expect(await acmeClient('POST', accountPath, draft)).toMatchObject(duplicateLabel)
    await create({ ...draft, label: '' })
    await create({ ...draft, label: null })
  })

  it('ignore fields of other vendors', async () => {
    expect(
      await decryptStored(await create({ vendor: 'soniox', api_key: 'k', region: 'x', service_key: 'no' })),
    ).toEqual({
      api_key: 'k',
    })
  })

  it('shared by a provider hide their secrets from its accounts', async () => {
    const sid = await create({ vendor: 'ibm', tts_api_key: 'ttskey99', tts_region: 'us-east' })
    const rows = (await acmeClient('GET', accountPath)).body as Record<string, unknown>[]
    expect(rows.find((row) => row.speech_credential_sid === sid)).toMatchObject({
      tts_region: 'us-east',
      tts_api_key: null,
    })
    expect(await acmeClient('GET', `${accountPath}/${sid}`)).toMatchObject({
      status: 403,
      body: { msg: 'Insufficient privileges' },
    })
    expect(await acmeClient('PUT', `${accountPath}/${sid}`, { use_for_tts: 0 })).toMatchObject({ status: 403 })
  })

  it('are found by vendor and label, first in the account and then in its provider', async () => {
    const { speechCredentials } = backend.services
    const { providers, acme: acmeRecords, bolt } = backend.testData
    const draft = { vendor: 'gladia', api_key: 'k', label: 'shared label' }
    const sharedCredentialSid = await create(draft)
    const accountCredentialSid = await create(draft, acmeClient, accountPath)
    const service_provider_sid = providers.north
    const find = (account_sid: string | null, label: string | null = 'shared label') =>
      speechCredentials.findByLabel('gladia', label, { account_sid, service_provider_sid })
    expect(await find(acmeRecords.account)).toBe(accountCredentialSid)
    expect(await find(bolt.account)).toBe(sharedCredentialSid)
    expect(await find(null)).toBe(sharedCredentialSid)
    expect(await find(null, null)).toBeUndefined()
    await speechCredentials.saveTestResult((await speechCredentials.decrypt(accountCredentialSid))!, { stt: true })
    expect(await read(accountCredentialSid)).toMatchObject({
      tts_tested_ok: null,
      stt_tested_ok: 1,
      last_tested: expect.stringMatching(/Z$/),
    })
  })

  it('are deleted with their custom voices', async () => {
    const sid = await create({ vendor: 'google', service_key: serviceKeyOf(privateKey) })
    const voice = await create(
      { speech_credential_sid: sid, name: 'Ann', model: 'm' },
      northClient,
      '/GoogleCustomVoices',
    )
    expect(await northClient('DELETE', `${providerPath}/${sid}`)).toMatchObject({ status: 204, body: undefined })
    expect(await adminClient('GET', `/GoogleCustomVoices/${voice}`)).toMatchObject({ status: 404 })
  })

  it('are packed unchanged for vendors without a format of their own', () => {
    const fields = { api_key: 'k', region: 'eu-west' }
    expect(packCredential(findVendorById('gladia')!, fields)).toEqual(fields)
  })
})
