import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { lcr, lcrRoute } from '@trunkline/contract/resources/lcr'
import { phoneNumbersOfProvider } from '@trunkline/contract/resources/phone-number'
import type { LcrRoute } from '@trunkline/contract/shapes/lcr'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import type { Removal } from '../../kit/record/remove-dialog'
import { askUses, type Use } from '../../kit/record/dependents'
import { capabilitiesQuery, noCapabilities } from '../../lib/server-capabilities'
import { request, requestUntyped } from '../../lib/client'
import { Problem } from '../../lib/problem'
import { useProviderSid } from '../../session/current-provider'

/** Matches the server's message for a carrier of another owner. */
const foreign = /different user/

/** The phone numbers of a carrier. v1 servers do not filter by carrier, so their list is filtered here. */
const numbersOn = (service_provider_sid: string, voip_carrier_sid: string, filters: boolean) =>
  askUses({
    kind: 'phone_number',
    list: phoneNumbersOfProvider,
    params: { service_provider_sid },
    ...(filters ? { query: { voip_carrier_sid } } : {}),
    mine: (row) => row.voip_carrier_sid === voip_carrier_sid,
    title: (row) => String(row.number),
  })

/** The LCRs with a route to the carrier. */
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
 * Deletes a carrier. Its phone numbers are checked before the confirmation. Our server refuses to delete a carrier with
 * routes and names them; v1 servers would delete its gateways first, so the routes are checked here too.
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
