import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, callStores, openCallStore, newTenants, type CallStore } from '../../../test/call-stores'
import { arrivalField, type CallHistory, type Point, type Tenant } from '../../ports/call-history'

const now = Date.now()
/** Microseconds since 1970. */
const firstArrivalUs = now * 1000

describe.each(callStores)('the owner of a call (%s)', (kind) => {
  let history: CallHistory
  let database: CallStore['database']
  beforeAll(async () => {
    ;({ history, database } = await openCallStore(kind, () => now))
  })
  afterAll(() => database?.close())

  const createScenario = () => {
    const { north, south, acme, bolt } = newTenants()
    const corp = randomUUID()
    const sip_callid = `${randomUUID()}@host`
    const owners: Record<string, { service_provider_sid: string; account_sid: string }> = {
      acme: { service_provider_sid: north, account_sid: acme },
      bolt: { service_provider_sid: north, account_sid: bolt },
      corp: { service_provider_sid: south, account_sid: corp },
    }
    const tenantByName: Record<string, Tenant> = {
      acme: { account_sid: acme },
      bolt: { account_sid: bolt },
      corp: { account_sid: corp },
      north: { service_provider_sid: north },
      south: { service_provider_sid: south },
    }
    const buildRecord = (account: string, fields: Point['fields'], timeMs = now) =>
      callPoint(owners[account]!, { timeMs, fields: { sip_callid, ...fields } })
    return {
      sip_callid,
      buildRecord,
      /** Writes a record with an API key of the account. `order`: the position among all arrivals. */
      writeByKey: (account: string, order: number, timeMs = now) =>
        history.writePoints('cdrs', [buildRecord(account, { [arrivalField]: firstArrivalUs + order }, timeMs)]),
      /** Writes a record without a key, as the platform does. */
      writeByPlatform: (account: string, timeMs = now) =>
        history.writePoints('cdrs', [buildRecord(account, {}, timeMs)]),
      /** The tenants that own the call, by name. */
      findOwners: async () => {
        const names = Object.keys(tenantByName)
        const isOwner = await Promise.all(names.map((name) => history.isCallOwner(tenantByName[name]!, { sip_callid })))
        return names.filter((_, index) => isOwner[index])
      },
    }
  }

  it('is the account of the record that arrived first, whatever time a later record has', async () => {
    const { writeByKey, findOwners } = createScenario()
    expect(await findOwners()).toEqual([])
    await writeByKey('acme', 1)
    await writeByKey('corp', 2, now - 3_600_000)
    for (let order = 3; order < 30; order += 1) await writeByKey('bolt', order, now + order)
    expect(await findOwners()).toEqual(['acme', 'north'])
  })

  it('is the account that the platform names, also after a record of another tenant', async () => {
    const { writeByKey, writeByPlatform, findOwners } = createScenario()
    await writeByKey('corp', 1, now - 1000)
    expect(await findOwners()).toEqual(['corp', 'south'])
    await writeByPlatform('acme')
    expect(await findOwners()).toEqual(['acme', 'north'])
    await writeByKey('bolt', 2, now + 1)
    await writeByKey('acme', 3, now + 2)
    expect(await findOwners()).toEqual(['acme', 'north'])
  })

  it('is only the common provider if the platform names two accounts', async () => {
    const { writeByPlatform, findOwners } = createScenario()
    await writeByPlatform('acme')
    await writeByPlatform('bolt', now + 1)
    expect(await findOwners()).toEqual(['north'])
    await writeByPlatform('corp', now + 2)
    expect(await findOwners()).toEqual([])
  })

  it('does not change when the same record is written again', async () => {
    const { buildRecord, writeByKey, findOwners } = createScenario()
    const point = buildRecord('acme', { call_sid: randomUUID() })
    const write = (order: number, fields: Point['fields'] = point.fields) =>
      history.writePoints('cdrs', [{ ...point, fields: { ...fields, [arrivalField]: firstArrivalUs + order } }])
    await write(1)
    await writeByKey('corp', 2)
    await write(3)
    await write(4, { price: 5 })
    expect(await findOwners()).toEqual(['acme', 'north'])
  })

  it('is not confirmed by a price that the platform adds', async () => {
    const { buildRecord, writeByKey, findOwners } = createScenario()
    await writeByKey('acme', 1)
    const forgedPoint = buildRecord('corp', { call_sid: randomUUID(), [arrivalField]: firstArrivalUs + 2 })
    await history.writePoints('cdrs', [forgedPoint])
    await history.writePoints('cdrs', [{ ...forgedPoint, fields: { price: 5 } }])
    expect(await findOwners()).toEqual(['acme', 'north'])
  })

  it('is not the writer of a record that gets a Call-ID later', async () => {
    const { sip_callid, buildRecord, writeByPlatform, findOwners } = createScenario()
    await writeByPlatform('acme')
    const forgedPoint = buildRecord('corp', {})
    await history.writePoints('cdrs', [{ ...forgedPoint, fields: { call_sid: 'c' } }])
    await history.writePoints('cdrs', [
      { ...forgedPoint, fields: { call_sid: 'c', sip_callid, [arrivalField]: firstArrivalUs } },
    ])
    expect(await findOwners()).toEqual(['acme', 'north'])
  })

  it('is determined by the exact Call-ID', async () => {
    const { sip_callid, buildRecord, writeByKey, findOwners } = createScenario()
    await history.writePoints('cdrs', [
      buildRecord('corp', { sip_callid: sip_callid.toUpperCase(), [arrivalField]: firstArrivalUs + 1 }),
    ])
    await writeByKey('acme', 2)
    expect(await findOwners()).toEqual(['acme', 'north'])
  })

  it('is not a column of the list', async () => {
    const { buildRecord, writeByKey } = createScenario()
    await writeByKey('acme', 1)
    const { account_sid } = buildRecord('acme', {}).tags
    const { rows } = await history.listCalls({ account_sid: account_sid! }, { page: 1, count: 1 })
    expect(rows).toHaveLength(1)
    expect(Object.keys(rows[0]!)).not.toContain(arrivalField)
  })
})
