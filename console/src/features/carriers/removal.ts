import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/carrier'
import { lcr, lcrRoute } from '@trunkline/contract/resources/lcr'
import { phoneNumbersOfProvider } from '@trunkline/contract/resources/phone-number'
import type { LcrRoute } from '@trunkline/contract/shapes/lcr'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import type { Removal } from '../../kit/remove-dialog'
import { askUses, type Use } from '../../kit/uses'
import { abilitiesQuery, noAbilities } from '../../lib/abilities'
import { call, exchange } from '../../lib/client'
import { Problem } from '../../lib/problem'
import { useProviderSid } from '../../session/provider'

/** How a server says that the carrier is somebody else's. */
const foreign = /different user/

/** The phone numbers that come over a carrier. */
const numbersOn = (service_provider_sid: string, voip_carrier_sid: string) =>
  askUses({
    kind: 'phone_number',
    list: phoneNumbersOfProvider,
    params: { service_provider_sid },
    mine: (row) => row.voip_carrier_sid === voip_carrier_sid,
    title: (row) => String(row.number),
  })

/** The tables of routes that lead to a carrier. */
const tablesTo = async (voip_carrier_sid: string): Promise<Use[]> => {
  const answer = await call(lcr.list).catch((error: unknown) => {
    if (error instanceof Problem && error.status === 404) return []
    throw error
  })
  const tables = Array.isArray(answer) ? answer : answer.data
  const uses: Use[] = []
  for (const { lcr_sid, name } of tables) {
    const routes = (await exchange(lcrRoute.list, { query: { lcr_sid } })) as LcrRoute[]
    const carriers = routes.flatMap(({ lcr_carrier_set_entries }) => lcr_carrier_set_entries)
    if (carriers.some((each) => each.voip_carrier_sid === voip_carrier_sid))
      uses.push({ kind: 'lcr', sid: lcr_sid, title: name ?? lcr_sid })
  }
  return uses
}

/**
 * Deleting a carrier. A server that is not ours takes its gateways away before it finds that a route leads to it, and
 * refuses numbers without naming them: there both are asked for first.
 */
export const useRemoval = (): Removal<VoipCarrier> => {
  const service_provider_sid = useProviderSid()
  const { data: abilities = noAbilities } = useQuery(abilitiesQuery)
  const usesOf = async ({ voip_carrier_sid }: VoipCarrier) =>
    (await Promise.all([numbersOn(service_provider_sid, voip_carrier_sid), tablesTo(voip_carrier_sid)])).flat()
  return {
    removed: (row) => messages.removed(row.name),
    refused: (_row, { status, msg }) =>
      [400, 403].includes(status) || foreign.test(msg) ? messages.mayNotRemove : undefined,
    ...(abilities.gateways ? {} : { inUse: usesOf }),
  }
}
