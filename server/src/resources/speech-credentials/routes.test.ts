import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packCredential } from '@trunkline/contract/speech/credential'
import { getVendorName, findVendorById } from '@trunkline/contract/speech/vendors'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { apiClient, type ApiClient } from '../../../test/speak'

const long = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'
const keyOf = (private_key: string) =>
  JSON.stringify({
    type: 'service_account',
    private_key: `-----BEGIN PRIVATE KEY-----\n${private_key}\n-----END PRIVATE KEY-----\n`,
    client_email: 'speech@example.iam.gserviceaccount.com',
  })

/** One credential of each notable kind, and what responses show of its secrets. */
const kinds: { vendor: string; fields: Record<string, unknown>; hidden: Record<string, string> }[] = [
  {
    vendor: 'aws',
    fields: { aws_region: 'us-east-1', access_key_id: 'AKIAEXAMPLE', secret_access_key: 'abcdef123456' },
    hidden: { secret_access_key: 'abcdefXXXXXX' },
  },
  { vendor: 'aws', fields: { aws_region: 'us-east-1', role_arn: 'arn:aws:iam::1:role/x' }, hidden: {} },
  {
    vendor: 'ibm',
    fields: {
      tts_region: 'us-east',
      tts_api_key: 'ttskey99',
      stt_region: 'eu-de',
      stt_api_key: 'sttkey99',
      instance_id: 'i',
    },
    hidden: { tts_api_key: 'ttskeyXX', stt_api_key: 'sttkeyXX' },
  },
  {
    vendor: 'microsoft',
    fields: { region: 'westeurope', api_key: 'azurekey1', use_custom_tts: 1, custom_tts_endpoint: 'deployment' },
    hidden: { api_key: 'azurekXXX' },
  },
  {
    vendor: 'custom:mill',
    fields: { auth_token: 'tokentoken', custom_tts_url: 'https://mill.example.com/', custom_stt_url: 'wss://mill' },
    hidden: { auth_token: 'tokentXXXX' },
  },
  { vendor: 'soniox', fields: { api_key: 'short' }, hidden: { api_key: 'XXXXXXX' } },
]

describe.each(engines)('speech credentials (%s)', (engine) => {
  let backend: Backend
  let admin: ApiClient
  let north: ApiClient
  let acme: ApiClient
  let provider: string
  let account: string
  beforeAll(async () => {
    backend = await startBackend({ engine })
    const as = (name: 'admin' | 'north' | 'acme') => apiClient(backend.app, backend.world.keys[name])
    ;[admin, north, acme] = [as('admin'), as('north'), as('acme')]
    provider = `/ServiceProviders/${backend.world.providers.north}/SpeechCredentials`
    account = `/Accounts/${backend.world.acme.account}/SpeechCredentials`
  })
  afterAll(() => backend.close())

  const create = async (body: object, request = north, path = provider): Promise<string> => {
    const reply = await request('POST', path, body)
    expect(reply).toMatchObject({ status: 201, body: { sid: expect.any(String) } })
    return reply.body.sid
  }
  const read = (sid: string) => admin('GET', `${provider}/${sid}`).then(({ body }) => body)
  const stored = async (sid: string) => {
    const row = await backend.database.db
      .selectFrom('speech_credentials')
      .select('credential')
      .where('speech_credential_sid', '=', sid)
      .executeTakeFirstOrThrow()
    const handle = backend.services.encryption.decryptJson(row.credential)
    return handle.ok ? handle.value : handle.reason
  }

  it.each(kinds)("of $vendor are stored encrypted in the platform's format, and returned masked", async (kind) => {
    const { vendor, fields, hidden } = kind
    const sid = await create({ vendor, ...fields })
    expect(await stored(sid)).toEqual(fields)
    expect(await read(sid)).toEqual({
      speech_credential_sid: sid,
      service_provider_sid: backend.world.providers.north,
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
      ...hidden,
    })
    const { rows } = { rows: (await admin('GET', provider)).body as Record<string, unknown>[] }
    expect(rows.find((row) => row.speech_credential_sid === sid)).toMatchObject({ ...fields, ...hidden })
  })

  it('of a Deepgram container accept URLs and return flags as they were sent', async () => {
    const fields = {
      deepgram_stt_uri: '10.0.0.1:50002',
      deepgram_tts_uri: 'https://dg.example.com',
      deepgram_stt_use_tls: true,
    }
    const sid = await create({ vendor: 'deepgram', ...fields })
    expect(await read(sid)).toMatchObject({ ...fields, model_id: null })
    const changes = { ...fields, deepgram_tts_uri: 'https://other.example.com', deepgram_stt_use_tls: false }
    expect(await north('PUT', `${provider}/${sid}`, { use_for_tts: 1, ...changes })).toMatchObject({ status: 204 })
    expect(await read(sid)).toMatchObject({ ...changes, model_id: null })
  })

  it('keep their test result if a flag is sent back with another type', async () => {
    const parts = { deepgram_stt_uri: '10.0.0.1:1', deepgram_tts_uri: '10.0.0.1:2', api_key: 'key-of-deepgram' }
    const sid = await create({ vendor: 'deepgram', ...parts, deepgram_stt_use_tls: true })
    const handle = await backend.services.speechCredentials.decrypt(sid)
    await backend.services.speechCredentials.saveTestResult(handle!, { tts: true })
    await north('PUT', `${provider}/${sid}`, { use_for_tts: 1, deepgram_stt_use_tls: 1 })
    expect(await read(sid)).toMatchObject({ tts_tested_ok: 1, deepgram_stt_use_tls: true })
  })

  it('of Google are the service key with the model added', async () => {
    const service_key = keyOf(long)
    const sid = await create({ vendor: 'google', service_key, model_id: 'gemini', use_for_stt: 0 })
    expect(await stored(sid)).toEqual({ ...(JSON.parse(service_key) as object), model_id: 'gemini' })
    const row = await read(sid)
    expect(row).toMatchObject({ model_id: 'gemini', use_for_tts: 1, use_for_stt: 0 })
    const shown = JSON.parse(row.service_key as string) as Record<string, string>
    expect(shown).toMatchObject({ type: 'service_account', client_email: 'speech@example.iam.gserviceaccount.com' })
    expect(shown.private_key).toMatch(/^-----BEGIN PRIVATE KEY-----\nMIIEvQX+$/)
  })

  it('written by another server of the platform are readable, and keep its fields', async () => {
    const speech_credential_sid = randomUUID()
    const credential = backend.services.encryption.encrypt(
      JSON.stringify({ api_key: 'abcdefgh', model_id: 'sonic', odd: 1 }),
    )
    await backend.services.speechCredentials.insert({
      speech_credential_sid,
      vendor: 'cartesia',
      credential,
      service_provider_sid: backend.world.providers.north,
    })
    expect(await read(speech_credential_sid)).toMatchObject({ api_key: 'abcdefXX', model_id: 'sonic' })
    expect(await backend.services.speechCredentials.decrypt(speech_credential_sid)).toEqual({
      speech_credential_sid,
      owner: backend.world.providers.north,
      vendor: 'cartesia',
      label: null,
      use_for_tts: 1,
      use_for_stt: 1,
      fields: { api_key: 'abcdefgh', model_id: 'sonic' },
      otherFields: { odd: 1 },
      credential,
    })
    // It lacks the recognition model, as it always did. A direction can still be switched off.
    expect((await north('PUT', `${provider}/${speech_credential_sid}`, { use_for_tts: 0 })).status).toBe(204)
    const changes = { use_for_tts: 1, use_for_stt: 0, model_id: 'sonic-2' }
    expect((await north('PUT', `${provider}/${speech_credential_sid}`, changes)).status).toBe(204)
    expect(await stored(speech_credential_sid)).toEqual({ api_key: 'abcdefgh', model_id: 'sonic-2', odd: 1 })
  })

  it('belong to the tenant of path and actor', async () => {
    const { acme: acmeRecords, corp, providers } = backend.world
    const owner = async (sid: string) => {
      const { account_sid, service_provider_sid, account_name } = await read(sid)
      return { account_sid, service_provider_sid, account_name }
    }
    const draft = { vendor: 'soniox', api_key: 'k' }
    const ofAcme = { account_sid: acmeRecords.account, service_provider_sid: providers.north, account_name: 'acme' }
    const ofNorth = { account_sid: null, service_provider_sid: providers.north, account_name: null }
    const strange = { account_sid: corp.account, service_provider_sid: providers.south }
    for (const request of [admin, north, acme])
      expect(await owner(await create({ ...draft, ...strange }, request, account))).toEqual(ofAcme)
    expect(await owner(await create({ ...draft, ...strange }, acme))).toEqual(ofAcme)
    expect(await owner(await create({ ...draft, account_sid: acmeRecords.account }))).toEqual(ofAcme)
    expect(await owner(await create({ ...draft, service_provider_sid: providers.south }))).toEqual(ofNorth)
  })

  it('are found below their own tenant only', async () => {
    const { bolt, shared, providers } = backend.world
    const gone = { status: 404, body: 'Not Found' }
    for (const [request, path] of [
      [admin, `${account}/${bolt.speech_credential}`],
      [north, `${account}/${bolt.speech_credential}`],
      [admin, `${provider}/${shared.south.speech_credential}`],
      [admin, `${provider}/${randomUUID()}`],
      [admin, `/Accounts/${randomUUID()}/SpeechCredentials`],
    ] as const)
      expect(await request('GET', path)).toMatchObject(gone)
    expect((await north('GET', `${account}/${shared.north.speech_credential}`)).status).toBe(200)
    const strange = `/ServiceProviders/${providers.south}/SpeechCredentials`
    expect(await admin('DELETE', `${strange}/${shared.north.speech_credential}`)).toMatchObject(gone)
  })

  it('are paged below a provider, and searched by name and label', async () => {
    const label = randomUUID()
    const ownRecord = await create(
      { vendor: 'houndify', client_id: 'i', client_key: 'k', user_id: 'u', label },
      north,
      account,
    )
    const { body } = await north('GET', `${provider}?page=1&page_size=100&sort=-vendor`)
    expect(body.total).toBe(body.data.length)
    // SoundHound is sorted under its display name, not under Houndify.
    const names = (body.data as { vendor: string }[]).map(({ vendor }) => getVendorName(vendor).toLowerCase())
    expect(names).toEqual(names.toSorted().toReversed())
    expect(names).toContain('soundhound')
    const sids = async (query: string) =>
      ((await north('GET', `${provider}?page=1&${query}`)).body.data as { speech_credential_sid: string }[]).map(
        ({ speech_credential_sid }) => speech_credential_sid,
      )
    for (const query of ['name=soundH', 'name=HOUNDIFY', `name=${label.slice(3)}`])
      expect(await sids(query)).toEqual([ownRecord])
    expect(await sids(`account_sid=${backend.world.acme.account}&name=hound`)).toEqual([ownRecord])
    expect(await sids(`account_sid=${backend.world.bolt.account}&name=hound`)).toEqual([])
  })

  it('require a unique label per vendor and owner', async () => {
    const label = 'twice'
    const draft = { vendor: 'soniox', api_key: 'k', label }
    await create(draft)
    const taken = {
      status: 422,
      body: { msg: 'Label twice is already in use for another speech credential', field: 'label' },
    }
    expect(await north('POST', provider, draft)).toMatchObject(taken)
    await create({ ...draft, vendor: 'voxist' })
    await create(draft, acme, account)
    expect(await acme('POST', account, draft)).toMatchObject(taken)
    await create({ ...draft, label: '' })
    await create({ ...draft, label: null })
  })

  it('ignore fields of other vendors', async () => {
    expect(await stored(await create({ vendor: 'soniox', api_key: 'k', region: 'x', service_key: 'no' }))).toEqual({
      api_key: 'k',
    })
  })

  it('shared by a provider hide their secrets from its accounts', async () => {
    const sid = await create({ vendor: 'ibm', tts_api_key: 'ttskey99', tts_region: 'us-east' })
    const rows = (await acme('GET', account)).body as Record<string, unknown>[]
    expect(rows.find((row) => row.speech_credential_sid === sid)).toMatchObject({
      tts_region: 'us-east',
      tts_api_key: null,
    })
    expect(await acme('GET', `${account}/${sid}`)).toMatchObject({
      status: 403,
      body: { msg: 'Insufficient privileges' },
    })
    expect(await acme('PUT', `${account}/${sid}`, { use_for_tts: 0 })).toMatchObject({ status: 403 })
  })

  it("are found by vendor and label, the account's before the provider's", async () => {
    const { speechCredentials } = backend.services
    const { providers, acme: acmeRecords, bolt } = backend.world
    const draft = { vendor: 'gladia', api_key: 'k', label: 'seek' }
    const shared = await create(draft)
    const ownRecord = await create(draft, acme, account)
    const service_provider_sid = providers.north
    const find = (account_sid: string | null, label: string | null = 'seek') =>
      speechCredentials.findByLabel('gladia', label, { account_sid, service_provider_sid })
    expect(await find(acmeRecords.account)).toBe(ownRecord)
    expect(await find(bolt.account)).toBe(shared)
    expect(await find(null)).toBe(shared)
    expect(await find(null, null)).toBeUndefined()
    await speechCredentials.saveTestResult((await speechCredentials.decrypt(ownRecord))!, { stt: true })
    expect(await read(ownRecord)).toMatchObject({
      tts_tested_ok: null,
      stt_tested_ok: 1,
      last_tested: expect.stringMatching(/Z$/),
    })
  })

  it('are deleted with their custom voices', async () => {
    const sid = await create({ vendor: 'google', service_key: keyOf(long) })
    const voice = await create({ speech_credential_sid: sid, name: 'Ann', model: 'm' }, north, '/GoogleCustomVoices')
    expect(await north('DELETE', `${provider}/${sid}`)).toMatchObject({ status: 204, body: undefined })
    expect(await admin('GET', `/GoogleCustomVoices/${voice}`)).toMatchObject({ status: 404 })
  })

  it('are packed as in the contract', () => {
    const fields = { api_key: 'k', region: 'eu-west' }
    expect(packCredential(findVendorById('gladia')!, fields)).toEqual(fields)
  })
})
