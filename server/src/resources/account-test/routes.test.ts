import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient } from '../../../test/api-client'

describe.each(databaseEngines)('public test numbers and applications of a provider (%s)', (databaseEngine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
  })
  afterAll(() => backend.close())

  const fetchTestRecords = (service_provider_sid: string) =>
    createApiClient(backend.app)('GET', `/AccountTest/${service_provider_sid}`)

  it('are the records of the provider that belong to no account', async () => {
    const { providers, acme, shared } = backend.testData
    const { db } = backend.database
    const ownedByNorth = { service_provider_sid: providers.north }
    const [application_sid, unusedApplicationSid] = [randomUUID(), randomUUID()]
    await db
      .insertInto('applications')
      .values([
        { application_sid, name: 'Hello world', app_json: '[{"verb":"say","text":"secret"}]', ...ownedByNorth },
        { application_sid: unusedApplicationSid, name: 'Echo', ...ownedByNorth },
      ])
      .execute()
    const createNumberRow = (digits: string, overrides: object) => ({
      phone_number_sid: randomUUID(),
      number: digits,
      ...overrides,
    })
    const { voip_carrier: voip_carrier_sid } = shared.north
    const [numberWithApplication, numberWithForeignApplication, numberWithoutApplication] = [
      createNumberRow('15550000092', { ...ownedByNorth, application_sid }),
      createNumberRow('15550000091', { ...ownedByNorth, application_sid: acme.application }),
      createNumberRow('15550000093', { ...ownedByNorth, voip_carrier_sid }),
    ]
    await db
      .insertInto('phone_numbers')
      .values([
        numberWithApplication,
        numberWithForeignApplication,
        numberWithoutApplication,
        createNumberRow('15550000094', { ...ownedByNorth, account_sid: acme.account }),
      ])
      .execute()
    await db
      .insertInto('phone_numbers')
      .values(createNumberRow('15550000095', { service_provider_sid: providers.south }))
      .execute()

    const owner = { ...ownedByNorth, account_sid: null }
    expect(await fetchTestRecords(providers.north)).toMatchObject({ status: 200 })
    expect((await fetchTestRecords(providers.north)).body).toEqual({
      phonenumbers: [
        // The application of this number belongs to an account.
        {
          phone_number_sid: numberWithForeignApplication.phone_number_sid,
          number: '15550000091',
          application_sid: null,
          ...owner,
        },
        { phone_number_sid: numberWithApplication.phone_number_sid, number: '15550000092', application_sid, ...owner },
        {
          phone_number_sid: numberWithoutApplication.phone_number_sid,
          number: '15550000093',
          application_sid: null,
          ...owner,
        },
      ],
      applications: [
        { application_sid: unusedApplicationSid, name: 'Echo', ...owner },
        { application_sid, name: 'Hello world', ...owner },
      ],
    })
    expect((await fetchTestRecords(providers.south)).body).toMatchObject({
      phonenumbers: [{ number: '15550000095' }],
      applications: [],
    })
  })

  it.each([randomUUID(), 'x', "' or 1=1 -- "])('cause a 404 for the unknown provider %j', async (sid) => {
    expect(await fetchTestRecords(encodeURIComponent(sid))).toMatchObject({ status: 404, body: 'Not Found' })
  })

  it('are limited to 100 numbers', async () => {
    const service_provider_sid = randomUUID()
    await backend.services.providers.insert({ service_provider_sid, name: 'Provider of many numbers' })
    const numbers = Array.from({ length: 101 }, (_, index) => ({
      phone_number_sid: randomUUID(),
      number: `1666${index}`,
      service_provider_sid,
    }))
    await backend.database.db.insertInto('phone_numbers').values(numbers).execute()
    expect((await fetchTestRecords(service_provider_sid)).body.phonenumbers).toHaveLength(100)
  })
})
