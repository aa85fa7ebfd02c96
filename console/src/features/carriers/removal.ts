import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { lcr, lcrRoute } from '@trunkline/contract/resources/lcr'
import { phoneNumbersOfProvider } from '@trunkline/contract/resources/phone-number'
import type { LcrRoute } from '@trunkline/contract/shapes/lcr'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import type { Removal } from '../../kit/remove-dialog'
import { askUses, type Use } from '../../kit/uses'
import { capabilitiesQuery, noCapabilities } from '../../lib/server-capabilities'
import { request, requestUntyped } from '../../lib/client'
import { Problem } from '../../lib/problem'
import { useProviderSid } from '../../session/provider'

/** How a server says that the carrier is somebody else's. */
const foreign = /different user/

/** The phone numbers of a carrier. Other servers do not filter by carrier: their whole list is filtered here. */
const numbersOn = (service_provider_sid: string, voip_carrier_sid: string, filters: boolean) =>
  askUses({
    kind: 'phone_number',
    list: phoneNumbersOfProvider,
    params: { service_provider_sid },
    ...(filters ? { query: { voip_carrier_sid } } : {}),
    mine: (row) => row.voip_carrier_sid === voip_carrier_sid,
    title: (row) => String(row.number),
  })

/** The tables of routes that lead to a carrier. */
const tablesTo = async (voip_carrier_sid: string): Promise<Use[]> => {
  const answer = await request(lcr.list).catch((error: unknown) => {
    if (error instanceof Problem && error.status === 404) return []
    throw error
  })
  const tables = Array.isArray(answer) ? answer : answer.data
  const uses: Use[] = []
  for (const { lcr_sid, name } of tables) {
    const routes = (await requestUntyped(lcrRoute.list, { query: { lcr_sid } })) as LcrRoute[]
    const carriers = routes.flatMap(({ lcr_carrier_set_entries }) => lcr_carrier_set_entries)
    if (carriers.some((each) => each.voip_carrier_sid === voip_carrier_sid))
      uses.push({ kind: 'lcr', sid: lcr_sid, title: name ?? lcr_sid })
  }
  return uses
}

/**
 * Deleting a carrier. Its numbers are asked for before the question. Our server refuses a carrier with routes and names
 * them; other servers delete the gateways first, so there the routes are asked for too.
 */
export const useRemoval = (): Removal<VoipCarrier> => {
  const service_provider_sid = useProviderSid()
  const { data: capabilities = noCapabilities } = useQuery(capabilitiesQuery)
  const usesOf = async ({ voip_carrier_sid }: VoipCarrier) =>
    (
      await Promise.all([
        numbersOn(service_provider_sid, voip_carrier_sid, capabilities.gateways),
        capabilities.gateways ? [] : tablesTo(voip_carrier_sid),
      ])
    ).flat()
  return {
    removed: (row) => messages.removed(row.name),
    refused: (_row, { status, msg }) =>
      [400, 403].includes(status) || foreign.test(msg) ? messages.mayNotRemove : undefined,
    inUse: usesOf,
  }
}
