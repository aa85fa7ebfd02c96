import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApiClient, type ApiClient } from '../../test/api-client'
import { startBackend, type Backend } from '../../test/backend'
import { databaseEngines } from '../../test/databases'

const parallelRequests = 8
const webhookDraft = { url: 'https://example.com' }
const predefinedCarrierSid = '17479288-bb9f-421a-89d1-f4ac57af1dca'

describe.each(databaseEngines)('parallel requests do not exceed the quota (%s)', (databaseEngine) => {
  let backend: Backend
  let acmeClient: ApiClient
  beforeEach(async () => {
    backend = await startBackend({ databaseEngine, config: { enforceQuotas: true } })
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
  })
  afterEach(() => backend.close())

  /** Sends the requests at the same time, and checks that only `accepted` of them succeed. */
  const expectAccepted = async (accepted: number, sendRequest: (index: number) => ReturnType<ApiClient>) => {
    const responses = await Promise.all(Array.from({ length: parallelRequests }, (_, index) => sendRequest(index)))
    const statuses = responses.map(({ status }) => (status < 300 ? 'accepted' : status)).sort()
    expect(statuses).toEqual([
      ...Array<number>(parallelRequests - accepted).fill(422),
      ...Array<string>(accepted).fill('accepted'),
    ])
  }

  /** Adds carriers of acme, and returns their SIDs. */
  const insertCarriers = async (count: number): Promise<string[]> => {
    const sids = Array.from({ length: count }, () => randomUUID())
    await backend.database.db
      .insertInto('voip_carriers')
      .values(
        sids.map((voip_carrier_sid) => ({
          voip_carrier_sid,
          name: voip_carrier_sid,
          account_sid: backend.testData.acme.account,
          service_provider_sid: backend.testData.providers.north,
        })),
      )
      .execute()
    return sids
  }

  const buildGateway = () => ({ ipv4: `sip.${randomUUID()}.example.com`, inbound: 0, outbound: 1 })

  const insertGateways = (count: number) =>
    backend.database.db
      .insertInto('sip_gateways')
      .values(
        Array.from({ length: count }, () => ({
          ...buildGateway(),
          sip_gateway_sid: randomUUID(),
          voip_carrier_sid: backend.testData.acme.voip_carrier,
        })),
      )
      .execute()

  const insertNumbers = (count: number) =>
    backend.database.db
      .insertInto('phone_numbers')
      .values(
        Array.from({ length: count }, () => ({
          phone_number_sid: randomUUID(),
          number: randomUUID(),
          account_sid: backend.testData.acme.account,
        })),
      )
      .execute()

  // The account already has one record of each kind from the test data.

  it('of applications', async () => {
    const { account: account_sid } = backend.testData.acme
    await backend.database.db
      .insertInto('applications')
      .values(Array.from({ length: 46 }, () => ({ application_sid: randomUUID(), name: randomUUID(), account_sid })))
      .execute()
    await expectAccepted(3, () =>
      acmeClient('POST', '/Applications', {
        name: randomUUID(),
        call_hook: webhookDraft,
        call_status_hook: webhookDraft,
      }),
    )
  })

  it('of phone numbers', async () => {
    await insertNumbers(196)
    await expectAccepted(3, () => acmeClient('POST', '/PhoneNumbers', { number: randomUUID() }))
  })

  it('of phone numbers that are imported', async () => {
    await insertNumbers(196)
    const { voip_carrier: voip_carrier_sid } = backend.testData.acme
    await expectAccepted(3, () =>
      acmeClient('POST', '/PhoneNumbers/Import', { rows: [{ number: randomUUID(), voip_carrier_sid }], write: 'all' }),
    )
  })

  it('of carriers, also if they are copies of a predefined carrier', async () => {
    await insertCarriers(6)
    const { account } = backend.testData.acme
    await expectAccepted(3, (index) =>
      index % 2 === 0
        ? acmeClient('POST', '/VoipCarriers', { name: randomUUID() })
        : acmeClient('POST', `/Accounts/${account}/PredefinedCarriers/${predefinedCarrierSid}`),
    )
  })

  it('of SIP gateways, also on different carriers', async () => {
    await insertGateways(146)
    const carriers = await insertCarriers(2)
    await expectAccepted(3, (index) =>
      acmeClient('POST', '/SipGateways', { ...buildGateway(), voip_carrier_sid: carriers[index % 2] }),
    )
  })

  it('of SIP gateways that are saved with their carriers', async () => {
    await insertGateways(146)
    const carriers = await insertCarriers(4)
    const { account } = backend.testData.acme
    await expectAccepted(3, (index) => {
      const carrier = carriers[index / 2]
      const sip_gateways = [buildGateway()]
      return carrier
        ? acmeClient('PUT', `/Accounts/${account}/VoipCarriers/${carrier}`, { sip_gateways })
        : acmeClient('POST', `/Accounts/${account}/VoipCarriers`, { name: randomUUID(), sip_gateways })
    })
  })
})
