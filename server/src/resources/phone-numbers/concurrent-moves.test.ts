import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, type ApiClient } from '../../../test/api-client'

/** The paths of the records that can have an application and move to another account. */
const paths = ['/PhoneNumbers', '/MicrosoftTeamsTenants', '/VoipCarriers']

describe.each(databaseEngines)('a record that moves to another account (%s)', (databaseEngine) => {
  let backend: Backend
  let client: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    client = createApiClient(backend.app, backend.testData.keys.north)
    const { north } = backend.testData.providers
    await client('PUT', `/ServiceProviders/${north}`, { ms_teams_fqdn: 'teams.example.com' })
  })
  afterAll(() => backend.close())
  afterEach(() => void vi.restoreAllMocks())

  let lastSerial = 0
  const create = async (path: string): Promise<string> => {
    const serial = (lastSerial += 1)
    const { status, body } = await client('POST', path, {
      account_sid: backend.testData.acme.account,
      ...(path === '/PhoneNumbers' ? { number: `1666000${serial}` } : {}),
      ...(path === '/MicrosoftTeamsTenants' ? { tenant_fqdn: `m${serial}.teams.example.com` } : {}),
      ...(path === '/VoipCarriers' ? { name: `carrier ${serial}` } : {}),
    })
    expect({ status, body }).toMatchObject({ status: 201 })
    return body.sid
  }
  const read = async (path: string) => (await client('GET', path)).body

  /** Runs `other` after the next request has read the record, and before it writes. */
  const runDuringRules = (lookup: 'application' | 'account', other: () => Promise<{ status: number }>) => {
    const { applications, accounts } = backend.services
    const interrupt = async () => expect((await other()).status).toBe(204)
    if (lookup === 'application') {
      const find = applications.find.bind(applications)
      vi.spyOn(applications, 'find').mockImplementationOnce(async (...parameters) => {
        await interrupt()
        return find(...parameters)
      })
      return
    }
    const providerOf = accounts.providerOf.bind(accounts)
    vi.spyOn(accounts, 'providerOf').mockImplementationOnce(async (sid) => {
      await interrupt()
      return providerOf(sid)
    })
  }

  const conflict = {
    status: 409,
    body: { msg: 'Another request changed this record at the same time. Check its values and try again.' },
  }

  it.each(paths)('gets no application of the previous account (%s)', async (path) => {
    const { acme, bolt } = backend.testData
    const recordPath = `${path}/${await create(path)}`
    runDuringRules('application', () => client('PUT', recordPath, { account_sid: bolt.account }))
    expect(await client('PUT', recordPath, { application_sid: acme.application })).toMatchObject(conflict)
    expect(await read(recordPath)).toMatchObject({ account_sid: bolt.account, application_sid: null })
  })

  it.each(paths)('does not move with an application that it has just got (%s)', async (path) => {
    const { acme, bolt } = backend.testData
    const recordPath = `${path}/${await create(path)}`
    runDuringRules('account', () => client('PUT', recordPath, { application_sid: acme.application }))
    expect(await client('PUT', recordPath, { account_sid: bolt.account })).toMatchObject(conflict)
    expect(await read(recordPath)).toMatchObject({ account_sid: acme.account, application_sid: acme.application })
  })

  it.each(paths)('never has an application of another account after parallel requests (%s)', async (path) => {
    const { acme, bolt } = backend.testData
    const recordPath = `${path}/${await create(path)}`
    for (let round = 0; round < 10; round += 1) {
      await client('PUT', recordPath, { account_sid: acme.account, application_sid: null })
      await Promise.all([
        client('PUT', recordPath, { application_sid: acme.application }),
        client('PUT', recordPath, { account_sid: bolt.account }),
      ])
      const { account_sid, application_sid } = await read(recordPath)
      expect(application_sid === null || account_sid === acme.account).toBe(true)
    }
  })

  it('gets no application from an assignment to many numbers, or from an import', async () => {
    const { acme, bolt } = backend.testData
    const application_sid = acme.application
    const sid = await create('/PhoneNumbers')
    const path = `/PhoneNumbers/${sid}`
    runDuringRules('application', () => client('PUT', path, { account_sid: bolt.account }))
    const assignment = { phone_number_sids: [sid, acme.phone_number], application_sid }
    expect(await client('PUT', '/PhoneNumbers', assignment)).toMatchObject(conflict)
    expect(await read(path)).toMatchObject({ account_sid: bolt.account, application_sid: null })

    const { voip_carrier: voip_carrier_sid, account: account_sid } = acme
    const draft = { number: '16667777', voip_carrier_sid, account_sid }
    const importedPath = `/PhoneNumbers/${(await client('POST', '/PhoneNumbers', draft)).body.sid}`
    runDuringRules('application', () => client('PUT', importedPath, { account_sid: null }))
    const rows = [{ number: draft.number, voip_carrier_sid, application_sid }]
    expect(await client('POST', '/PhoneNumbers/Import', { rows, write: 'all' })).toMatchObject(conflict)
    expect(await read(importedPath)).toMatchObject({ account_sid: null, application_sid: null })
  })
})
