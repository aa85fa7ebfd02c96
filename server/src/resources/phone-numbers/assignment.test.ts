import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

const unknownSid = 'abcdef01-0000-4000-8000-000000000000'

describe.each(databaseEngines)('many phone numbers (%s)', (databaseEngine) => {
  let backend: Backend
  let northClient: ApiClient
  let acmeClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    northClient = createApiClient(backend.app, backend.testData.keys.north)
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
  })
  afterAll(() => backend.close())

  const read = async (sid: string) => (await northClient('GET', `/PhoneNumbers/${sid}`)).body
  const assign = (client: ApiClient, phone_number_sids: unknown, application_sid: unknown) =>
    client('PUT', '/PhoneNumbers', { phone_number_sids, application_sid })

  it('get one application or none', async () => {
    // More rows than fit into one statement.
    const rows = Array.from({ length: 510 }, (_, index) => ({
      phone_number_sid: randomUUID(),
      number: `8800${index}`,
      account_sid: backend.testData.acme.account,
    }))
    await backend.database.db.insertInto('phone_numbers').values(rows).execute()
    const sids = rows.map(({ phone_number_sid }) => phone_number_sid)
    const { application } = backend.testData.acme
    expect(await assign(acmeClient, [...sids, sids[0]], application)).toMatchObject({
      status: 200,
      body: { changed: 510 },
    })
    const { body } = await acmeClient('GET', '/PhoneNumbers?filter=8800')
    expect(body.filter((row: { application_sid: string }) => row.application_sid === application).length).toBe(510)
    expect(await assign(acmeClient, sids.slice(0, 2), null)).toMatchObject({ status: 200, body: { changed: 2 } })
    expect((await read(sids[0]!)).application_sid).toBeNull()
  })

  it('are changed except those that are foreign or no longer exist, which are returned', async () => {
    const { acme: acmeRecords, bolt, corp } = backend.testData
    const initialSnapshot = await takeSnapshot(backend.database)
    const unknownNumber = { status: 400, body: { msg: 'unknown phone_number_sid', field: 'phone_number_sids' } }
    expect(await assign(acmeClient, [bolt.phone_number, unknownSid], null)).toMatchObject(unknownNumber)
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    const { sid } = (await acmeClient('POST', '/PhoneNumbers', { number: '4420' })).body
    const sids = [bolt.phone_number, sid, unknownSid, corp.phone_number]
    for (const application_sid of [acmeRecords.application, null]) {
      expect(await assign(acmeClient, sids, application_sid)).toMatchObject({
        status: 200,
        body: { changed: 1, unknown_sids: [bolt.phone_number, unknownSid, corp.phone_number] },
      })
      expect((await read(sid)).application_sid).toBe(application_sid)
    }
    expect((await read(bolt.phone_number)).application_sid).toBe(bolt.application)
  })

  it('are all changed, or none if the application is foreign to one', async () => {
    const { acme: acmeRecords, bolt } = backend.testData
    const initialSnapshot = await takeSnapshot(backend.database)
    const unknownApplication = { status: 400, body: { msg: 'unknown application_sid', field: 'application_sid' } }
    expect(await assign(acmeClient, [acmeRecords.phone_number], bolt.application)).toMatchObject(unknownApplication)
    expect(
      await assign(northClient, [acmeRecords.phone_number, bolt.phone_number], acmeRecords.application),
    ).toMatchObject(unknownApplication)
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    expect(await assign(northClient, [acmeRecords.phone_number, bolt.phone_number], null)).toMatchObject({
      status: 200,
      body: { changed: 2, unknown_sids: [] },
    })
  })

  it.each([
    ['no SIDs', [], null, 'choose at least one phone number', 'phone_number_sids'],
    ['SIDs that are not a list', 'x', null, 'phone_number_sids must be a list', 'phone_number_sids'],
    ['a malformed SID', ['x'], null, 'invalid phone_number_sids.0', 'phone_number_sids.0'],
    ['no application', [unknownSid], undefined, 'missing field application_sid', 'application_sid'],
    [
      'too many numbers',
      Array.from({ length: 10_001 }, () => unknownSid),
      null,
      'phone_number_sids must be at most 10000 entries',
      'phone_number_sids',
    ],
  ])('are refused with %s', async (_, sids, application, msg, field) => {
    expect(await assign(acmeClient, sids, application)).toMatchObject({ status: 400, body: { msg, field } })
  })
})
