import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, type ApiClient } from '../../../test/api-client'

const webhook = { url: 'https://example.com/hook' }

describe.each(databaseEngines)('an application that moves to another account (%s)', (databaseEngine) => {
  let backend: Backend
  let northClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    northClient = createApiClient(backend.app, backend.testData.keys.north)
    const { north } = backend.testData.providers
    await northClient('PUT', `/ServiceProviders/${north}`, { ms_teams_fqdn: 'teams.example.com' })
  })
  afterAll(() => backend.close())
  afterEach(() => void vi.restoreAllMocks())

  let lastSerial = 0
  const create = async (path: string, draft: object): Promise<string> => {
    const { status, body } = await northClient('POST', path, draft)
    expect({ status, body }).toMatchObject({ status: 201 })
    return body.sid
  }
  const createNumber = () =>
    create('/PhoneNumbers', { number: `1555000${(lastSerial += 1)}`, account_sid: backend.testData.acme.account })

  /** The writes that make a record of acme use an application. Each returns the path of the record. */
  const writes: Record<string, (application_sid: string) => Promise<() => Promise<string>>> = {
    'a new phone number': (application_sid) =>
      Promise.resolve(async () => {
        const number = `1555000${(lastSerial += 1)}`
        const draft = { number, account_sid: backend.testData.acme.account, application_sid }
        return `/PhoneNumbers/${(await northClient('POST', '/PhoneNumbers', draft)).body.sid}`
      }),
    'a phone number': async (application_sid) => {
      const path = `/PhoneNumbers/${await createNumber()}`
      return async () => {
        await northClient('PUT', path, { application_sid })
        return path
      }
    },
    'a batch of phone numbers': async (application_sid) => {
      const phone_number_sid = await createNumber()
      return async () => {
        await northClient('PUT', '/PhoneNumbers', { phone_number_sids: [phone_number_sid], application_sid })
        return `/PhoneNumbers/${phone_number_sid}`
      }
    },
    'an imported phone number': async (application_sid) => {
      const { voip_carrier: voip_carrier_sid, account: account_sid } = backend.testData.acme
      const number = `1555000${(lastSerial += 1)}`
      const path = `/PhoneNumbers/${await create('/PhoneNumbers', { number, voip_carrier_sid, account_sid })}`
      return async () => {
        const rows = [{ number, voip_carrier_sid, application_sid }]
        await northClient('POST', '/PhoneNumbers/Import', { rows, write: 'all' })
        return path
      }
    },
    'a carrier': (application_sid) =>
      Promise.resolve(async () => {
        const path = `/VoipCarriers/${backend.testData.acme.voip_carrier}`
        await northClient('PUT', path, { application_sid })
        return path
      }),
    'a Microsoft Teams tenant': async (application_sid) => {
      const { account: account_sid } = backend.testData.acme
      const tenant_fqdn = `t${(lastSerial += 1)}.teams.example.com`
      const path = `/MicrosoftTeamsTenants/${await create('/MicrosoftTeamsTenants', { account_sid, tenant_fqdn })}`
      return async () => {
        await northClient('PUT', path, { application_sid })
        return path
      }
    },
    'an account': (application_sid) =>
      Promise.resolve(async () => {
        const path = `/Accounts/${backend.testData.acme.account}`
        await northClient('PUT', path, { device_calling_application_sid: application_sid })
        return path
      }),
  }

  const createApplication = () =>
    create('/Applications', {
      name: `app ${(lastSerial += 1)}`,
      account_sid: backend.testData.acme.account,
      call_hook: webhook,
      call_status_hook: webhook,
    })
  const moveToBolt = (sid: string) =>
    northClient('PUT', `/Applications/${sid}`, { account_sid: backend.testData.bolt.account })
  const readUse = async (path: string, application_sid: string) => {
    const { body } = await northClient('GET', path)
    return [body?.application_sid, body?.device_calling_application_sid].includes(application_sid)
  }
  const readAccountSid = async (sid: string) => (await northClient('GET', `/Applications/${sid}`)).body.account_sid

  it.each(Object.entries(writes))('is refused to %s whose rules were checked before the move', async (_, prepare) => {
    const { applications } = backend.services
    const sid = await createApplication()
    const write = await prepare(sid)
    const find = applications.find.bind(applications)
    vi.spyOn(applications, 'find').mockImplementationOnce(async (...parameters) => {
      const row = await find(...parameters)
      expect(await moveToBolt(sid)).toMatchObject({ status: 204 })
      return row
    })
    const path = await write()
    expect(await readAccountSid(sid)).toBe(backend.testData.bolt.account)
    expect(await readUse(path, sid)).toBe(false)
  })

  it.each(Object.entries(writes))('is refused to %s that is written during the move', async (_, prepare) => {
    const { applications } = backend.services
    const sid = await createApplication()
    const write = await prepare(sid)
    const findDependents = applications.findDependents.bind(applications)
    let writing: Promise<string> | undefined
    vi.spyOn(applications, 'findDependents').mockImplementationOnce(async (...parameters) => {
      const dependents = await findDependents(...parameters)
      writing = write()
      // long enough for the write, unless it waits for the end of the move
      await Promise.race([writing, delay(500)])
      return dependents
    })
    expect(await moveToBolt(sid)).toMatchObject({ status: 204 })
    expect(await readUse(await writing!, sid)).toBe(false)
  })

  it.each(Object.entries(writes))('stays in its account after it is used by %s', async (_, prepare) => {
    const sid = await createApplication()
    const write = await prepare(sid)
    const path = await write()
    expect(await readUse(path, sid)).toBe(true)
    expect(await moveToBolt(sid)).toMatchObject({ status: 422, body: { dependents: [expect.anything()] } })
    expect(await readAccountSid(sid)).toBe(backend.testData.acme.account)
  })
})
