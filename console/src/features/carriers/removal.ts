import { messages } from '@trunkline/contract/messages/carrier'
import { phoneNumbersOfProvider } from '@trunkline/contract/resources/phone-number'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import type { Removal } from '../../kit/remove-dialog'
import { askUses } from '../../kit/uses'

/** Deleting a carrier. A server that refuses without a reason is asked for the numbers that come over the carrier. */
export const removal = (service_provider_sid: string): Removal<VoipCarrier> => ({
  removed: (row) => messages.removed(row.name),
  explain: ({ voip_carrier_sid }) =>
    askUses({
      kind: 'phone_number',
      list: phoneNumbersOfProvider,
      params: { service_provider_sid },
      mine: (row) => row.voip_carrier_sid === voip_carrier_sid,
      title: (row) => String(row.number),
    }),
})
