import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, callStores, openCallStore, tenants, type CallStore } from '../../../test/call-stores'
import { arrivalField, type CallHistory, type Point, type Tenant } from '../../ports/call-history'

const now = Date.now()
const firstArrival = now * 1000

describe.each(callStores)('the owner of a call (%s)', (kind) => {
  let history: CallHistory
  let database: CallStore['database']
  beforeAll(async () => {
    ;({ history, database } = await openCallStore(kind, () => now))
  })
  afterAll(() => database?.close())

  const createScenario = () => {
    const { north, south, acme, bolt } = tenants()
    const corp = randomUUID()
    const sip_callid = `${randomUUID()}@host`
    const owners: Record<string, { service_provider_sid: string; account_sid: string }> = {
      acme: { service_provider_sid: north, account_sid: acme },
      bolt: { service_provider_sid: north, account_sid: bolt },
      corp: { service_provider_sid: south, account_sid: corp },
    }
    const readers: Record<string, Tenant> = {
      acme: { account_sid: acme },
      bolt: { account_sid: bolt },
      corp: { account_sid: corp },
      north: { service_provider_sid: north },
      south: { service_provider_sid: south },
    }
    const record = (account: string, fields: Point['fields'], index = now) =>
      callPoint(owners[account]!, { timeMs: index, fields: { sip_callid, ...fields } })
    return {
      sip_callid,
      record,
      /** With a key of the account; `order` counts the arrivals. */
      byKey: (account: string, order: number, index = now) =>
        history.write('cdrs', [record(account, { [arrivalField]: firstArrival + order }, index)]),
      byPlatform: (account: string, index = now) => history.write('cdrs', [record(account, {}, index)]),
      owners: async () => {
        const names = Object.keys(readers)
        const responses = await Promise.all(names.map((name) => history.isOwner(readers[name]!, { sip_callid })))
        return names.filter((_, index) => responses[index])
      },
    }
  }

  it('is the account of the record that arrived first, whatever time a later record has', async () => {
    const { byKey, owners } = createScenario()
    expect(await owners()).toEqual([])
    await byKey('acme', 1)
    await byKey('corp', 2, now - 3_600_000)
    for (let order = 3; order < 30; order += 1) await byKey('bolt', order, now + order)
    expect(await owners()).toEqual(['acme', 'north'])
  })

  it('is the account that the platform names, also after a record of another tenant', async () => {
    const { byKey, byPlatform, owners } = createScenario()
    await byKey('corp', 1, now - 1000)
    expect(await owners()).toEqual(['corp', 'south'])
    await byPlatform('acme')
    expect(await owners()).toEqual(['acme', 'north'])
    await byKey('bolt', 2, now + 1)
    await byKey('acme', 3, now + 2)
    expect(await owners()).toEqual(['acme', 'north'])
  })

  it('is only the common provider if the platform names two accounts', async () => {
    const { byPlatform, owners } = createScenario()
    await byPlatform('acme')
    await byPlatform('bolt', now + 1)
    expect(await owners()).toEqual(['north'])
    await byPlatform('corp', now + 2)
    expect(await owners()).toEqual([])
  })

  it('does not change when the same record is written again', async () => {
    const { record, byKey, owners } = createScenario()
    const sent = record('acme', { call_sid: randomUUID() })
    const write = (order: number, fields: Point['fields'] = sent.fields) =>
      history.write('cdrs', [{ ...sent, fields: { ...fields, [arrivalField]: firstArrival + order } }])
    await write(1)
    await byKey('corp', 2)
    await write(3)
    await write(4, { price: 5 })
    expect(await owners()).toEqual(['acme', 'north'])
  })

  it('is not confirmed by a price that the platform adds', async () => {
    const { record, byKey, owners } = createScenario()
    await byKey('acme', 1)
    const forged = record('corp', { call_sid: randomUUID(), [arrivalField]: firstArrival + 2 })
    await history.write('cdrs', [forged])
    await history.write('cdrs', [{ ...forged, fields: { price: 5 } }])
    expect(await owners()).toEqual(['acme', 'north'])
  })

  it('is not the writer of a record that gets a Call-ID later', async () => {
    const { sip_callid, record, byPlatform, owners } = createScenario()
    await byPlatform('acme')
    const forged = record('corp', {})
    await history.write('cdrs', [{ ...forged, fields: { call_sid: 'c' } }])
    await history.write('cdrs', [{ ...forged, fields: { call_sid: 'c', sip_callid, [arrivalField]: firstArrival } }])
    expect(await owners()).toEqual(['acme', 'north'])
  })

  it('is determined by the exact Call-ID', async () => {
    const { sip_callid, record, byKey, owners } = createScenario()
    await history.write('cdrs', [
      record('corp', { sip_callid: sip_callid.toUpperCase(), [arrivalField]: firstArrival + 1 }),
    ])
    await byKey('acme', 2)
    expect(await owners()).toEqual(['acme', 'north'])
  })

  it('is not a column of the list', async () => {
    const { record, byKey } = createScenario()
    await byKey('acme', 1)
    const { account_sid } = record('acme', {}).tags
    const { rows } = await history.calls({ account_sid: account_sid! }, { page: 1, count: 1 })
    expect(rows).toHaveLength(1)
    expect(Object.keys(rows[0]!)).not.toContain(arrivalField)
  })
})
