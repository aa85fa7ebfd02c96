import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

const callWebhook = { url: 'https://example.com/call', method: 'POST', username: null, password: null }
const statusWebhook = { url: 'wss://example.com/status', method: 'GET', username: 'u', password: 'p' }

describe.each(databaseEngines)('applications (%s)', (databaseEngine) => {
  let backend: Backend
  let adminClient: ApiClient
  let northClient: ApiClient
  let acmeClient: ApiClient
  let applicationPath: string
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    const clientOf = (name: 'admin' | 'north' | 'acme') => createApiClient(backend.app, backend.testData.keys[name])
    ;[adminClient, northClient, acmeClient] = [clientOf('admin'), clientOf('north'), clientOf('acme')]
    applicationPath = `/Applications/${backend.testData.acme.application}`
  })
  afterAll(() => backend.close())

  let applicationNumber = 0
  const createDraft = (overrides: object = {}) => ({
    name: `app ${++applicationNumber}`,
    call_hook: callWebhook,
    call_status_hook: statusWebhook,
    ...overrides,
  })
  const createApplication = async (overrides: object = {}, request = acmeClient): Promise<string> => {
    const { status, body } = await request('POST', '/Applications', createDraft(overrides))
    expect({ status, body }).toMatchObject({ status: 201 })
    return body.sid
  }
  const fetchApplication = (sid: string) => acmeClient('GET', `/Applications/${sid}`).then(({ body }) => body)

  it('are created with defaults, and their webhooks with SIDs', async () => {
    const sid = await createApplication()
    expect(await fetchApplication(sid)).toEqual({
      application_sid: sid,
      name: expect.stringMatching(/^app \d+$/),
      service_provider_sid: null,
      account_sid: backend.testData.acme.account,
      account_name: 'acme',
      app_json: null,
      call_hook: { webhook_sid: expect.any(String), ...callWebhook },
      call_status_hook: { webhook_sid: expect.any(String), ...statusWebhook },
      messaging_hook: null,
      speech_synthesis_vendor: 'google',
      speech_synthesis_language: 'en-US',
      speech_synthesis_voice: 'en-US-Standard-C',
      speech_synthesis_label: null,
      speech_recognizer_vendor: 'google',
      speech_recognizer_language: 'en-US',
      speech_recognizer_label: null,
      use_for_fallback_speech: 0,
      fallback_speech_synthesis_vendor: null,
      fallback_speech_synthesis_language: null,
      fallback_speech_synthesis_voice: null,
      fallback_speech_synthesis_label: null,
      fallback_speech_recognizer_vendor: null,
      fallback_speech_recognizer_language: null,
      fallback_speech_recognizer_label: null,
      env_vars: null,
      record_all_calls: 0,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
    })
  })

  it.each<[string, object, string, string]>([
    ['no name', { name: undefined }, 'missing field name', 'name'],
    ['no call webhook', { call_hook: undefined }, 'missing field call_hook', 'call_hook'],
    ['an empty call webhook', { call_hook: {} }, 'missing field call_hook.url', 'call_hook.url'],
    ['no status webhook', { call_status_hook: undefined }, 'missing field call_status_hook', 'call_status_hook'],
    [
      'a call webhook that is a string',
      { call_hook: 'x' },
      "'call_hook' must be an object when adding an application",
      'call_hook',
    ],
    [
      'a status webhook that is null',
      { call_status_hook: null },
      "'call_status_hook' must be an object when adding an application",
      'call_status_hook',
    ],
    ['an invalid URL', { call_hook: { url: 'nonsense' } }, 'call_hook URL is invalid', 'call_hook.url'],
    [
      'whitespace around the URL',
      { call_hook: { url: ' https://x.com' } },
      'call_hook URL contains leading/trailing whitespace',
      'call_hook.url',
    ],
    [
      'an invalid host',
      { call_status_hook: { url: 'https://nohost' } },
      'call_status_hook URL has invalid hostname nohost',
      'call_status_hook.url',
    ],
    [
      'another protocol',
      { call_hook: { url: 'ftp://example.com' } },
      'call_hook URL has missing or invalid protocol ftp:',
      'call_hook.url',
    ],
    [
      'another method',
      { call_hook: { ...callWebhook, method: 'PUT' } },
      'call_hook.method must be one of GET, POST',
      'call_hook.method',
    ],
    ['app JSON that is not JSON', { app_json: '{' }, 'app_json is not valid JSON', 'app_json'],
    [
      'app JSON that is not a list',
      { app_json: '{"verb":"say"}' },
      'Error: malformed jambonz payload: must be array',
      'app_json',
    ],
    ['an item without a verb', { app_json: '[{"text":"hi"}]' }, 'Error: invalid instruction: undefined', 'app_json'],
    [
      'a verb without a required property',
      { app_json: '[{"verb":"play","timeoutSecs":10}]' },
      'Error: play: missing value for url',
      'app_json',
    ],
    [
      'app JSON that is longer than its column',
      { app_json: `[{"verb":"say","text":"${'x'.repeat(65_535)}"}]` },
      'app_json must be at most 65535 bytes',
      'app_json',
    ],
    [
      'a username without a password',
      { call_hook: { ...callWebhook, username: 'u', password: '' } },
      'password is required together with username',
      'call_hook.password',
    ],
    [
      'a password without a username',
      { call_status_hook: { url: callWebhook.url, password: 'p' } },
      'username is required together with password',
      'call_status_hook.username',
    ],
    [
      'a password without a username for messages',
      { messaging_hook: { url: callWebhook.url, password: 'p' } },
      'username is required together with password',
      'messaging_hook.username',
    ],
    [
      'a language longer than its column',
      { speech_synthesis_language: 'x'.repeat(13) },
      'at most 12',
      'speech_synthesis_language',
    ],
    ['nested variables', { env_vars: { a: { b: 1 } } }, 'env_vars.a must be', 'env_vars.a'],
  ])('are not created with %s', async (_, overrides, msg, field) => {
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await acmeClient('POST', '/Applications', createDraft(overrides))).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining(msg), field },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('require an account, with a message that depends on the scope', async () => {
    expect(await adminClient('POST', '/Applications', createDraft())).toMatchObject({
      status: 400,
      body: { msg: 'missing field account_sid' },
    })
    expect(await northClient('POST', '/Applications', createDraft())).toMatchObject({
      status: 400,
      body: { msg: "missing required field: 'account_sid'" },
    })
    const account_sid = 'abcdef01-0000-4000-8000-000000000000'
    expect(await adminClient('POST', '/Applications', createDraft({ account_sid }))).toMatchObject({
      status: 400,
      body: { msg: 'unknown account_sid' },
    })
    const sid = await createApplication({ account_sid: backend.testData.corp.account })
    expect((await fetchApplication(sid)).account_sid).toBe(backend.testData.acme.account)
  })

  it('require a unique name in their account', async () => {
    const initialSnapshot = await takeSnapshot(backend.database)
    const duplicateRefusal = {
      status: 422,
      body: {
        msg: expect.stringMatching(/^Duplicate entry '.*acme app' for key 'applications_idx_name'$/),
        field: 'name',
      },
    }
    expect(await acmeClient('POST', '/Applications', createDraft({ name: 'acme app' }))).toMatchObject(duplicateRefusal)
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    expect(await acmeClient('PUT', `/Applications/${await createApplication()}`, { name: 'acme app' })).toMatchObject({
      status: 422,
      body: { field: 'name' },
    })
    await createApplication({ name: 'acme app', account_sid: backend.testData.bolt.account }, northClient)
  })

  it('accept localhost, IPv4 addresses and verbs of newer versions', async () => {
    const sid = await createApplication({
      call_hook: { url: 'http://localhost:3000/x' },
      call_status_hook: { url: 'http://192.0.2.1:80' },
      messaging_hook: { url: 'ws://example.com' },
      app_json:
        '[{"verb":"answer"},{"verb":"sip:refer","referTo":"sip:a@example.com"},{"verb":"verb_of_a_newer_version"}]',
      use_for_fallback_speech: true,
      created_at: 'x',
      service_provider_sid: backend.testData.providers.south,
    })
    expect(await fetchApplication(sid)).toMatchObject({
      call_hook: { method: 'POST' },
      use_for_fallback_speech: 1,
      service_provider_sid: null,
    })
  })

  it('store their environment variables encrypted and return them unchanged', async () => {
    const env_vars = { GREETING: 'secret words', COUNT: 0, ON: false }
    const sid = await createApplication({ env_vars })
    expect((await fetchApplication(sid)).env_vars).toEqual(env_vars)
    const row = await backend.database.db
      .selectFrom('applications')
      .select('env_vars')
      .where('application_sid', '=', sid)
      .executeTakeFirstOrThrow()
    expect(row.env_vars).not.toContain('secret words')
    const { body } = await northClient(
      'GET',
      `/ServiceProviders/${backend.testData.providers.north}/Applications?name=app`,
    )
    expect(body.find((item: { application_sid: string }) => item.application_sid === sid).env_vars).toEqual(env_vars)
    await acmeClient('PUT', `/Applications/${sid}`, { record_all_calls: true })
    expect(await fetchApplication(sid)).toMatchObject({ env_vars, record_all_calls: 1 })
    await acmeClient('PUT', `/Applications/${sid}`, { env_vars: null })
    expect((await fetchApplication(sid)).env_vars).toBeNull()
  })

  it('cannot be removed while in use, and the error lists the dependents', async () => {
    const initialSnapshot = await takeSnapshot(backend.database)
    const { acme: acmeRecords, accounts } = backend.testData
    expect(await acmeClient('DELETE', applicationPath)).toMatchObject({
      status: 422,
      body: {
        msg: 'cannot delete application with phone numbers',
        dependents: [{ kind: 'phone_number', sid: acmeRecords.phone_number, title: '15550000011' }],
      },
    })
    expect(await northClient('DELETE', applicationPath)).toMatchObject({ status: 422 })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    const sid = await createApplication()
    await acmeClient('PUT', `/Accounts/${accounts.acme}`, { siprec_hook_sid: sid })
    await acmeClient('PUT', `/VoipCarriers/${acmeRecords.voip_carrier}`, { application_sid: sid })
    const { status, body } = await acmeClient('DELETE', `/Applications/${sid}`)
    expect({ status, kinds: body.dependents.map(({ kind }: { kind: string }) => kind).sort() }).toEqual({
      status: 422,
      kinds: ['account', 'voip_carrier'],
    })
    await acmeClient('PUT', `/Accounts/${accounts.acme}`, { siprec_hook_sid: null })
    await acmeClient('PUT', `/VoipCarriers/${acmeRecords.voip_carrier}`, { application_sid: '' })
    expect(await acmeClient('DELETE', `/Applications/${sid}`)).toMatchObject({ status: 204 })
  })

  it('can be moved only without dependents, and only to accounts in the scope of the actor', async () => {
    const { bolt, corp } = backend.testData
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await acmeClient('PUT', applicationPath, { account_sid: bolt.account })).toMatchObject({
      status: 403,
      body: { msg: 'insufficient privileges' },
    })
    expect(await northClient('PUT', applicationPath, { account_sid: corp.account })).toMatchObject({
      status: 403,
      body: { msg: 'insufficient permissions' },
    })
    expect(await northClient('PUT', applicationPath, { account_sid: bolt.account })).toMatchObject({
      status: 422,
      body: { dependents: [{ kind: 'phone_number' }] },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    const sid = await createApplication()
    expect(await northClient('PUT', `/Applications/${sid}`, { account_sid: bolt.account })).toMatchObject({
      status: 204,
    })
    expect((await northClient('GET', `/Applications/${sid}`)).body.account_sid).toBe(bolt.account)
  })
})
