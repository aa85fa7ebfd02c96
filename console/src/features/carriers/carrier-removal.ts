import { messages } from '@trunkline/contract/messages/voip-carrier'
import { lcr, lcrRoute } from '@trunkline/contract/resources/lcr'
import { phoneNumbersOfProvider } from '@trunkline/contract/resources/phone-number'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import type { RemoveOptions } from '../../kit/record/remove-dialog'
import { fetchDependents, type DependentRecord } from '../../kit/record/dependents'
import { Problem } from '../../lib/problem'
import { toCompleteList, requestList } from '../../lib/request-list'
import { useNumberListPaths } from '../../panels/number-links'
import { useProviderSid } from '../../session/current-provider'

/** Matches the server's message for a carrier of another owner. */
const foreignOwnerMessage = /different user/

/** Lists the phone numbers of a carrier. v1 servers do not filter by carrier, so their list is filtered here. */
const listDependentPhoneNumbers = (service_provider_sid: string, voip_carrier_sid: string) =>
  fetchDependents({
    kind: 'phone_number',
    list: phoneNumbersOfProvider,
    params: { service_provider_sid },
    matches: (row) => row.voip_carrier_sid === voip_carrier_sid,
    title: (row) => String(row.number),
  })

/** Lists the LCRs with a route to the carrier. A server without LCRs returns 404. */
const listDependentLcrs = async (voip_carrier_sid: string): Promise<DependentRecord[]> => {
  const lcrs = await requestList(lcr.list).catch((error: unknown) => {
    if (error instanceof Problem && error.status === 404) return toCompleteList([])
    throw error
  })
  const dependents: DependentRecord[] = []
  for (const { lcr_sid, name } of lcrs.rows) {
    const routes = await requestList(lcrRoute.list, { query: { lcr_sid } })
    const entries = routes.rows.flatMap(({ lcr_carrier_set_entries }) => lcr_carrier_set_entries ?? [])
    if (entries.some((entry) => entry.voip_carrier_sid === voip_carrier_sid))
      dependents.push({ kind: 'lcr', sid: lcr_sid, title: name ?? lcr_sid })
  }
  return dependents
}

/**
 * Returns the options for deleting a carrier. v1 servers delete its gateways before they refuse because of its numbers or
 * routes, so both are checked before the confirmation.
 */
export const useCarrierRemoval = (): RemoveOptions<VoipCarrier> => {
  const service_provider_sid = useProviderSid()
  const createNumberListPaths = useNumberListPaths('carrier')
  const listDependents = async ({ voip_carrier_sid }: VoipCarrier) =>
    (
      await Promise.all([
        listDependentPhoneNumbers(service_provider_sid, voip_carrier_sid),
        listDependentLcrs(voip_carrier_sid),
      ])
    ).flat()
  return {
    removedMessage: (row) => messages.removed(row.name),
    refusalMessage: (_row, { status, msg }) =>
      [400, 403].includes(status) || foreignOwnerMessage.test(msg) ? messages.mayNotRemove : undefined,
    findDependents: listDependents,
    createListPaths: ({ voip_carrier_sid }) => createNumberListPaths(voip_carrier_sid),
  }
}
