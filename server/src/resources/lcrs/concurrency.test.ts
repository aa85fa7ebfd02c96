import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { apiClient, type ApiClient } from '../../../test/speak'

const repetitions = 10
const routesPerTable = 20

describe.each(engines)('parallel updates (%s)', (engine) => {
  let backend: Backend
  let admin: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ engine })
    admin = apiClient(backend.app, backend.world.keys.admin)
  })
  afterAll(() => backend.close())

  const route = (voip_carrier_sid: string, priority: number) => ({
    regex: `${priority}`,
    priority,
    lcr_route_sid: '',
    lcr_carrier_set_entries: [{ voip_carrier_sid, priority: 0, lcr_route_sid: '' }],
  })
  const priorities = [...Array(routesPerTable - 1).keys(), 9999]

  /** Statuses of two parallel requests, repeated `rounds` times. */
  const statuses = async (first: () => ReturnType<ApiClient>, second: () => ReturnType<ApiClient>) => {
    const seenStatuses = new Set<number>()
    for (let round = 0; round < repetitions; round += 1)
      for (const { status } of await Promise.all([first(), second()])) seenStatuses.add(status)
    return [...seenStatuses]
  }

  it('store both of two LCRs', async () => {
    const { acme, bolt } = backend.world
    const save = ({ lcr, voip_carrier }: typeof acme) =>
      admin('PUT', `/Lcrs/${lcr}`, { routes: priorities.map((priority) => route(voip_carrier, priority)) })
    expect(
      await statuses(
        () => save(acme),
        () => save(bolt),
      ),
    ).toEqual([204])
    for (const { lcr } of [acme, bolt]) {
      expect((await admin('GET', `/LcrRoutes?lcr_sid=${lcr}`)).body).toHaveLength(routesPerTable)
    }
  })

  it('store both of two carriers with their gateways', async () => {
    const { acme, bolt } = backend.world
    const gateways = [1, 2, 3].map((last) => ({ ipv4: `192.0.2.${last}`, inbound: 0, outbound: 1 }))
    const save = ({ voip_carrier }: typeof acme) =>
      admin('PUT', `/VoipCarriers/${voip_carrier}`, { sip_gateways: gateways, smpp_gateways: [] })
    expect(
      await statuses(
        () => save(acme),
        () => save(bolt),
      ),
    ).toEqual([204])
  })
})
