import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, type ApiClient } from '../../../test/api-client'

const repetitions = 10
const routesPerLcr = 20

describe.each(databaseEngines)('parallel updates of two large records (%s)', (databaseEngine) => {
  let backend: Backend
  let adminClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    adminClient = createApiClient(backend.app, backend.testData.keys.admin)
  })
  afterAll(() => backend.close())

  const createRouteDraft = (voip_carrier_sid: string, priority: number) => ({
    regex: `${priority}`,
    priority,
    lcr_route_sid: '',
    lcr_carrier_set_entries: [{ voip_carrier_sid, priority: 0, lcr_route_sid: '' }],
  })
  const priorities = [...Array(routesPerLcr - 1).keys(), 9999]

  /** Sends two parallel requests several times, and returns the distinct statuses. */
  const collectStatuses = async (sendFirst: () => ReturnType<ApiClient>, sendSecond: () => ReturnType<ApiClient>) => {
    const statuses = new Set<number>()
    for (let round = 0; round < repetitions; round += 1)
      for (const { status } of await Promise.all([sendFirst(), sendSecond()])) statuses.add(status)
    return [...statuses]
  }

  it('succeed for LCRs with many routes', async () => {
    const { acme, bolt } = backend.testData
    const saveRoutes = ({ lcr, voip_carrier }: typeof acme) =>
      adminClient('PUT', `/Lcrs/${lcr}`, {
        routes: priorities.map((priority) => createRouteDraft(voip_carrier, priority)),
      })
    expect(
      await collectStatuses(
        () => saveRoutes(acme),
        () => saveRoutes(bolt),
      ),
    ).toEqual([204])
    for (const { lcr } of [acme, bolt]) {
      expect((await adminClient('GET', `/LcrRoutes?lcr_sid=${lcr}`)).body).toHaveLength(routesPerLcr)
    }
  })

  it('succeed for carriers with several gateways', async () => {
    const { acme, bolt } = backend.testData
    const gateways = [1, 2, 3].map((lastOctet) => ({ ipv4: `192.0.2.${lastOctet}`, inbound: 0, outbound: 1 }))
    const saveGateways = ({ voip_carrier }: typeof acme) =>
      adminClient('PUT', `/VoipCarriers/${voip_carrier}`, { sip_gateways: gateways, smpp_gateways: [] })
    expect(
      await collectStatuses(
        () => saveGateways(acme),
        () => saveGateways(bolt),
      ),
    ).toEqual([204])
  })
})
