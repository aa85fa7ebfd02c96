import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, type ApiClient } from '../../../test/api-client'
import type { ActorName } from '../../../test/test-data'

interface DependentsOfKind {
  kind: string
  total: number
  prevents_deletion: boolean
  records: { sid: string; title: string }[]
}

describe.each(databaseEngines)('the dependents of a record (%s)', (databaseEngine) => {
  let backend: Backend
  const clientOf = (name: ActorName): ApiClient => createApiClient(backend.app, backend.testData.keys[name])
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
  })
  afterAll(() => backend.close())

  const list = async (kind: string, sid: string, as: ActorName = 'admin'): Promise<DependentsOfKind[]> => {
    const { status, body } = await clientOf(as)('GET', `/Dependents/${kind}/${sid}`)
    expect({ status, body }).toMatchObject({ status: 200 })
    return body.dependents
  }
  const findKind = (dependents: DependentsOfKind[], kind: string) =>
    dependents.find((dependentsOfKind) => dependentsOfKind.kind === kind)
  const listSids = (dependents: DependentsOfKind[], kind: string) =>
    findKind(dependents, kind)?.records.map(({ sid }) => sid) ?? []

  it('are announced by the capabilities of the server', async () => {
    expect((await clientOf('acme')('GET', '/Abilities')).body).toMatchObject({ dependents: true })
  })

  it('of an account are all its records, and only some prevent its deletion', async () => {
    const { acme, users } = backend.testData
    const dependents = await list('account', acme.account, 'acme')
    expect(dependents.map(({ kind, prevents_deletion }) => [kind, prevents_deletion])).toEqual([
      ['phone_number', true],
      ['ms_teams_tenant', true],
      ['application', true],
      ['api_key', true],
      ['voip_carrier', false],
      ['client', false],
      ['speech_credential', false],
      ['user', false],
    ])
    expect(findKind(dependents, 'phone_number')).toEqual({
      kind: 'phone_number',
      total: 1,
      prevents_deletion: true,
      records: [{ sid: acme.phone_number, title: expect.stringMatching(/^\d+$/) }],
    })
    expect(listSids(dependents, 'user')).toContain(users.acme)
  })

  it('never contain the token of an API key', async () => {
    const { acme, keys } = backend.testData
    const dependents = await list('account', acme.account, 'north')
    expect(JSON.stringify(dependents)).not.toContain(keys.acme)
    expect(findKind(dependents, 'api_key')?.records.map(({ title }) => title)).toContain(
      `••••••••••••${keys.acme.slice(-4)}`,
    )
  })

  it('of an application are what refers to it', async () => {
    const { acme } = backend.testData
    expect(listSids(await list('application', acme.application, 'acme'), 'phone_number')).toContain(acme.phone_number)
    const north = clientOf('north')
    await north('PUT', `/VoipCarriers/${acme.voip_carrier}`, { application_sid: acme.application })
    await north('PUT', `/Accounts/${acme.account}`, { device_calling_application_sid: acme.application })
    const dependents = await list('application', acme.application, 'north')
    expect(listSids(dependents, 'voip_carrier')).toEqual([acme.voip_carrier])
    expect(listSids(dependents, 'account')).toEqual([acme.account])
  })

  it('of a provider are listed for administrators, and for its users', async () => {
    const { providers, accounts } = backend.testData
    for (const actor of ['admin', 'north'] as const)
      expect(listSids(await list('service_provider', providers.north, actor), 'account').sort()).toEqual(
        [accounts.acme, accounts.bolt].sort(),
      )
  })

  it('of a provider are, for an account user, only those in the account', async () => {
    const dependents = await list('service_provider', backend.testData.providers.north, 'acme')
    const sids = dependents.flatMap(({ records }) => records.map(({ sid }) => sid))
    expect(sids).not.toContain(backend.testData.bolt.account)
    expect(sids).not.toContain(backend.testData.users.bolt)
    expect(sids).not.toContain(backend.testData.users.north)
  })

  it('of a carrier are its numbers and the LCRs with a route to it, each once', async () => {
    const { acme, providers } = backend.testData
    const carrier = backend.testData.shared.north.voip_carrier
    const north = clientOf('north')
    const { body: lcr } = await north('POST', '/Lcrs', {
      name: 'to the shared carrier',
      service_provider_sid: providers.north,
    })
    for (const regex of ['1', '2']) {
      const { body: route } = await north('POST', '/LcrRoutes', { lcr_sid: lcr.sid, regex, priority: Number(regex) })
      await north('POST', '/LcrCarrierSetEntries', {
        lcr_route_sid: route.sid,
        voip_carrier_sid: carrier,
        priority: 1,
        workload: 100,
      })
    }
    expect(findKind(await list('voip_carrier', carrier, 'north'), 'lcr')).toMatchObject({
      total: 1,
      records: [{ sid: lcr.sid, title: 'to the shared carrier' }],
    })
    expect(listSids(await list('voip_carrier', acme.voip_carrier, 'acme'), 'phone_number')).toContain(acme.phone_number)
  })

  it('of a speech credential are the applications that select it, and do not prevent its deletion', async () => {
    const { acme, bolt, shared, accounts } = backend.testData
    /** Lets an application of an account select a credential of the account's list. */
    const select = async (as: 'acme' | 'bolt', credentialSid: string, columns: [vendor: string, label: string]) => {
      const client = clientOf(as)
      const { body } = await client('GET', `/Accounts/${accounts[as]}/SpeechCredentials`)
      const { vendor, label } = body.find(
        (row: { speech_credential_sid: string }) => row.speech_credential_sid === credentialSid,
      )
      const changes = { [columns[0]]: vendor, [columns[1]]: label }
      expect(await client('PUT', `/Applications/${backend.testData[as].application}`, changes)).toMatchObject({
        status: 204,
      })
    }
    await select('acme', acme.speech_credential, ['speech_synthesis_vendor', 'speech_synthesis_label'])
    expect(await list('speech_credential', acme.speech_credential, 'acme')).toMatchObject([
      { kind: 'application', total: 1, prevents_deletion: false, records: [{ sid: acme.application }] },
    ])
    await select('bolt', shared.north.speech_credential, [
      'fallback_speech_recognizer_vendor',
      'fallback_speech_recognizer_label',
    ])
    const ofShared = listSids(await list('speech_credential', shared.north.speech_credential), 'application')
    expect(ofShared).toContain(bolt.application)
    expect(ofShared).not.toContain(backend.testData.corp.application)
  })

  it('are counted, and the first 20 are listed by title', async () => {
    const { corp } = backend.testData
    for (let index = 0; index < 25; index += 1)
      await clientOf('corp')('POST', '/Clients', {
        account_sid: corp.account,
        username: `client-${String(index).padStart(2, '0')}`,
        password: 'secret',
        is_active: 1,
      })
    const clients = findKind(await list('account', corp.account, 'corp'), 'client')
    expect(clients?.total).toBe(26)
    expect(clients?.records).toHaveLength(20)
    expect(clients?.records.map(({ title }) => title)).toEqual(clients?.records.map(({ title }) => title).toSorted())
  })

  it.runIf(databaseEngine === 'mysql')('are listed if tables have different collations', async () => {
    const { acme } = backend.testData
    const setCollation = (collation: string) =>
      sql`alter table trunkline_api_key_names modify name varchar(255) collate ${sql.raw(collation)}`.execute(
        backend.database.db,
      )
    await setCollation('utf8mb4_general_ci')
    try {
      expect(listSids(await list('account', acme.account), 'api_key')).not.toEqual([])
    } finally {
      await setCollation('utf8mb4_unicode_ci')
    }
  })

  it('are empty for a record that nothing uses', async () => {
    const { body } = await clientOf('acme')('POST', '/Applications', {
      name: 'unused',
      call_hook: { url: 'https://example.com/call', method: 'POST', username: null, password: null },
      call_status_hook: { url: 'https://example.com/status', method: 'POST', username: null, password: null },
    })
    expect(await list('application', body.sid, 'acme')).toEqual([])
  })

  it.each(['account', 'application', 'voip_carrier', 'speech_credential'] as const)(
    'of a foreign %s are refused like the record',
    async (kind) => {
      const record = backend.testData.acme[kind]
      for (const actor of ['south', 'bolt', 'corp'] as const) {
        const { status, body } = await clientOf(actor)('GET', `/Dependents/${kind}/${record}`)
        expect([400, 403, 404]).toContain(status)
        expect(body?.dependents).toBeUndefined()
      }
    },
  )

  it.each([
    ['an unknown record', `account/${randomUUID()}`],
    ['a kind without dependents', `client/${randomUUID()}`],
    ['a name that every object has', `constructor/${randomUUID()}`],
  ])('of %s are 404', async (_, path) => {
    expect((await clientOf('admin')('GET', `/Dependents/${path}`)).status).toBe(404)
  })
})
