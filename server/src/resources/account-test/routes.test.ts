import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { apiClient } from '../../../test/speak'

describe.each(engines)('test numbers and applications of a provider (%s)', (engine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ engine })
  })
  afterAll(() => backend.close())

  const anonymous = (sid: string) => apiClient(backend.app)('GET', `/AccountTest/${sid}`)

  it('are those without account, readable by everybody', async () => {
    const { providers, acme, shared } = backend.world
    const { db } = backend.database
    const north = { service_provider_sid: providers.north }
    const [application_sid, idle] = [randomUUID(), randomUUID()]
    await db
      .insertInto('applications')
      .values([
        { application_sid, name: 'Hello world', app_json: '[{"verb":"say","text":"secret"}]', ...north },
        { application_sid: idle, name: 'Echo', ...north },
      ])
      .execute()
    const number = (digits: string, overrides: object) => ({
      phone_number_sid: randomUUID(),
      number: digits,
      ...overrides,
    })
    const { voip_carrier: voip_carrier_sid } = shared.north
    const [second, first, spare] = [
      number('15550000092', { ...north, application_sid }),
      number('15550000091', { ...north, application_sid: acme.application }),
      number('15550000093', { ...north, voip_carrier_sid }),
    ]
    await db
      .insertInto('phone_numbers')
      .values([second, first, spare, number('15550000094', { ...north, account_sid: acme.account })])
      .execute()
    await db
      .insertInto('phone_numbers')
      .values(number('15550000095', { service_provider_sid: providers.south }))
      .execute()

    const owner = { ...north, account_sid: null }
    expect(await anonymous(providers.north)).toMatchObject({ status: 200 })
    expect((await anonymous(providers.north)).body).toEqual({
      phonenumbers: [
        // Its application belongs to an account.
        { phone_number_sid: first.phone_number_sid, number: '15550000091', application_sid: null, ...owner },
        { phone_number_sid: second.phone_number_sid, number: '15550000092', application_sid, ...owner },
        { phone_number_sid: spare.phone_number_sid, number: '15550000093', application_sid: null, ...owner },
      ],
      applications: [
        { application_sid: idle, name: 'Echo', ...owner },
        { application_sid, name: 'Hello world', ...owner },
      ],
    })
    expect((await anonymous(providers.south)).body).toMatchObject({
      phonenumbers: [{ number: '15550000095' }],
      applications: [],
    })
  })

  it.each([randomUUID(), 'x', "' or 1=1 -- "])('are empty for %j', async (sid) => {
    expect(await anonymous(encodeURIComponent(sid))).toMatchObject({ status: 404, body: 'Not Found' })
  })

  it('are limited in number', async () => {
    const service_provider_sid = randomUUID()
    await backend.services.providers.insert({ service_provider_sid, name: 'Stock' })
    const numbers = Array.from({ length: 101 }, (_, index) => ({
      phone_number_sid: randomUUID(),
      number: `1666${index}`,
      service_provider_sid,
    }))
    await backend.database.db.insertInto('phone_numbers').values(numbers).execute()
    expect((await anonymous(service_provider_sid)).body.phonenumbers).toHaveLength(100)
  })
})
