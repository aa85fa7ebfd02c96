import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  callPoint,
  callStores,
  newTenants,
  openMovableCallStore,
  type MovableCallStore,
} from '../../../test/call-stores'
import { arrivalField, type Point } from '../../ports/call-history'
import { UnavailableError } from '../../ports/service-errors'
import { moveCalls, newMoveState, type MoveState } from './move-calls'
import { formatResult, hasMissingRecords } from './report'

const hourMs = 3_600_000
/** InfluxDB is shared with other tests, and records after the start are moved. So each test starts after all others. */
let startAt = Date.parse('2200-01-01T00:00:00Z') + Math.floor(Math.random() * 1e6)
beforeEach(() => {
  startAt += 1000 * hourMs
})
const noCallback = () => undefined

const pairs = callStores.flatMap((source) => callStores.map((target) => ({ source, target })))
const movedPairs = pairs.filter(({ source, target }) => source !== target || source === 'sqlite')

const toTarget = ({ archive, history }: MovableCallStore): Parameters<typeof moveCalls>[0]['target'] => ({
  ...archive,
  writePoints: (measurement, points) => history.writePoints(measurement, points),
})

const newState = (): MoveState => {
  const state = newMoveState()
  for (const counts of [state.copy.cdrs, state.copy.alerts, state.compare.cdrs, state.compare.alerts])
    counts.doneUntil = startAt
  return state
}

describe.each(movedPairs)('moving calls from $source to $target', ({ source, target }) => {
  let stores: Record<'source' | 'target', MovableCallStore>
  beforeAll(async () => {
    stores = { source: await openMovableCallStore(source), target: await openMovableCallStore(target) }
  })
  afterAll(async () => {
    await stores.source.close()
    await stores.target.close()
  })

  /** Calls of two days and of a month later, with extra fields, a price, and an arrival time. */
  const buildPoints = ({ north, acme }: ReturnType<typeof newTenants>): Point[] => {
    const owner = { service_provider_sid: north, account_sid: acme }
    const times = [
      ...Array.from({ length: 60 }, (_, index) => index * 0.8 * hourMs),
      ...Array.from({ length: 20 }, (_, index) => 900 * hourMs + index),
    ]
    return times.map((offsetMs, index) =>
      callPoint(owner, {
        timeMs: Math.floor(startAt + offsetMs),
        extraNs: index % 3 ? 0 : 123_457,
        tags: { answered: String(index % 2 === 0) },
        fields: {
          duration: index,
          sip_status: 200,
          answered_at: Math.floor(startAt + offsetMs) + 1500,
          cost: index / 8,
          isTest: index % 2 === 0,
          ...(index % 5 ? {} : { [arrivalField]: startAt * 1000 + index }),
        },
      }),
    )
  }

  it('copies every record once, also after an interruption', async () => {
    const tenants = newTenants()
    const owner = { service_provider_sid: tenants.north }
    const points = buildPoints(tenants)
    await stores.source.history.writePoints('cdrs', points)
    const alert: Point = {
      tags: { ...owner, alert_type: 'no-carrier' },
      fields: { message: 'No route' },
      timeNs: BigInt(startAt) * 1_000_000n,
    }
    await stores.source.history.writePoints('alerts', [alert])

    const state = newState()
    let writeCount = 0
    const { archive: sourceArchive } = stores.source
    const { archive, history } = stores.target
    const unreliableTarget = {
      ...archive,
      writePoints: async (...write: Parameters<typeof history.writePoints>) => {
        writeCount += 1
        await history.writePoints(...write)
        if (writeCount === 3) throw new UnavailableError('connection lost')
      },
    }
    const move = (target: ReturnType<typeof toTarget>) =>
      moveCalls({ source: sourceArchive, target, state, onBlock: noCallback })
    await expect(move(unreliableTarget)).rejects.toThrow('connection lost')
    const copiedCount = state.copy.cdrs.recordCount
    expect(copiedCount).toBeGreaterThan(0)
    expect(copiedCount).toBeLessThan(points.length)
    await move(toTarget(stores.target))

    expect(hasMissingRecords(state)).toBe(false)
    expect(state.copy.cdrs.recordCount).toBe(points.length)
    expect(state.compare).toMatchObject({ cdrs: { recordCount: points.length }, alerts: { recordCount: 1 } })
    const listAll = async (store: MovableCallStore) => store.history.listCalls(owner, { page: 1, count: 500 })
    expect(await listAll(stores.target)).toEqual(await listAll(stores.source))
    expect((await history.listAlerts(owner, { page: 1, count: 5 })).rows).toMatchObject([{ message: 'No route' }])
    // The owner of a call follows from the arrival of its records.
    const callWithArrival = { sip_callid: String(points[0]!.fields.sip_callid) }
    expect(await history.isCallOwner(owner, callWithArrival)).toBe(true)
    const forgedPoint = {
      ...points[0]!,
      tags: { ...points[0]!.tags, service_provider_sid: tenants.south, account_sid: tenants.bolt },
    }
    await history.writePoints('cdrs', [
      { ...forgedPoint, fields: { ...forgedPoint.fields, [arrivalField]: startAt * 1000 + 1_000_000 } },
    ])
    expect(await history.isCallOwner(owner, callWithArrival)).toBe(true)
    // A record that is sent again is not a second record.
    await history.writePoints('cdrs', points.slice(0, 20))
    expect((await history.listCalls(owner, { page: 1, count: 1 })).total).toBe(points.length)
  }, 60_000)
})

describe('comparing calls', () => {
  it('reports records that the target lacks, and those with other values', async () => {
    const [source, target] = [await openMovableCallStore('sqlite'), await openMovableCallStore('sqlite')]
    const owner = { service_provider_sid: newTenants().north }
    const points = [0, 1, 2].map((index) => callPoint(owner, { timeMs: startAt + index * hourMs }))
    await source.history.writePoints('cdrs', points)
    const losePoints: typeof target.history.writePoints = (measurement, written) =>
      target.history.writePoints(
        measurement,
        written
          .filter(({ timeNs }) => timeNs !== points[0]!.timeNs)
          .map((point) =>
            point.timeNs === points[1]!.timeNs ? { ...point, fields: { ...point.fields, to: 'x' } } : point,
          ),
      )
    const state = newState()
    await moveCalls({
      source: source.archive,
      target: { ...target.archive, writePoints: losePoints },
      state,
      onBlock: noCallback,
    })
    expect(hasMissingRecords(state)).toBe(true)
    expect(state.compare.cdrs.missingCount).toBe(2)
    expect(formatResult(state)[0]).toMatch(/^3 calls compared, 2 missing or different\. Checksum [0-9a-f]+\.$/)
    await source.close()
    await target.close()
  })

  it('leaves out values that other stores reject', async () => {
    const [source, target] = [await openMovableCallStore('sqlite'), await openMovableCallStore('sqlite')]
    const owner = { service_provider_sid: newTenants().north }
    await source.history.writePoints('cdrs', [callPoint(owner, { timeMs: startAt, fields: { duration: 'long' } })])
    const state = newState()
    await moveCalls({
      source: source.archive,
      target: toTarget(target),
      state,
      onBlock: noCallback,
    })
    expect(state.copy.cdrs.droppedFieldCount).toBe(1)
    expect(hasMissingRecords(state)).toBe(false)
    expect(formatResult(state)).toContain('1 fields of calls were left out: their values have the wrong type.')
    await source.close()
    await target.close()
  })
})
