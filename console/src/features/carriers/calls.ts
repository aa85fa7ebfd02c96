import type { Actor } from '@trunkline/contract/policy/actor'
import { messages } from '@trunkline/contract/messages/general'
import { addPredefinedToAccount, addPredefinedToProvider } from '@trunkline/contract/resources/predefined-carrier'
import { sipGateway } from '@trunkline/contract/resources/sip-gateway'
import { carriersOfAccount, carriersOfProvider, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import type { SipGateway } from '@trunkline/contract/shapes/sip-gateway'
import type { VoipCarrier, VoipCarrierChanges, VoipCarrierDraft } from '@trunkline/contract/shapes/voip-carrier'
import { call } from '../../lib/client'
import { Problem } from '../../lib/problem'
import type { CarrierCalls } from './saver'
import type { WholeCarrier } from './values'

const listed = <Row>(answer: Row[] | { data: Row[] }) => (Array.isArray(answer) ? answer : answer.data)

/** The provider below which a carrier is written: its own, and the current one for a new carrier. */
export interface Home {
  service_provider_sid: string
}

/** Account users write below their account, everybody else below the provider. */
export const carrierCalls = (actor: Actor, home: Home): CarrierCalls => ({
  create: async (body) => {
    const draft = body as VoipCarrierDraft
    const { sid } =
      actor.scope === 'account'
        ? await call(carriersOfAccount.create, { params: { account_sid: actor.account_sid }, body: draft })
        : await call(carriersOfProvider.create, { params: { ...home }, body: draft })
    return sid
  },
  update: async (voip_carrier_sid, body) => {
    const changes = body as VoipCarrierChanges
    if (actor.scope === 'account')
      await call(carriersOfAccount.update, {
        params: { account_sid: actor.account_sid, voip_carrier_sid },
        body: changes,
      })
    else await call(carriersOfProvider.update, { params: { ...home, voip_carrier_sid }, body: changes })
  },
  addGateway: async (voip_carrier_sid, body) =>
    (await call(sipGateway.create, { body: { ...body, voip_carrier_sid } })).sid,
  changeGateway: (sip_gateway_sid, voip_carrier_sid, body) =>
    call(sipGateway.update, { params: { sip_gateway_sid }, body: { ...body, voip_carrier_sid } }),
  removeGateway: (sip_gateway_sid) => call(sipGateway.remove, { params: { sip_gateway_sid } }),
})

/** Makes a carrier of what is known of it in advance; answers its sid. */
export const addPredefined = async (actor: Actor, service_provider_sid: string, predefined_carrier_sid: string) => {
  const { sid } =
    actor.scope === 'account'
      ? await call(addPredefinedToAccount, { params: { account_sid: actor.account_sid, predefined_carrier_sid } })
      : await call(addPredefinedToProvider, { params: { service_provider_sid, predefined_carrier_sid } })
  return sid
}

export const gatewaysOf = async (voip_carrier_sid: string, signal?: AbortSignal): Promise<SipGateway[]> =>
  listed(await call(sipGateway.list, { query: { voip_carrier_sid }, signal }))

/**
 * Reads a carrier. One that a provider keeps for all its accounts is in the lists of their users, but is not answered to
 * them by itself: it is taken from the list.
 */
const carrierOf = async (actor: Actor, voip_carrier_sid: string, signal: AbortSignal): Promise<VoipCarrier> => {
  try {
    return await call(voipCarrier.read, { params: { voip_carrier_sid }, signal })
  } catch (error) {
    if (!(error instanceof Problem) || ![400, 403].includes(error.status)) throw error
    const rows = actor.scope === 'account' ? listed(await call(voipCarrier.list, { signal })) : []
    const found = rows.find((row) => row.voip_carrier_sid === voip_carrier_sid)
    if (found) return found
    throw new Problem(error.status, error.body, { msg: messages.noAccess })
  }
}

export const wholeCarrier = async (actor: Actor, sid: string, signal: AbortSignal): Promise<WholeCarrier> => {
  const carrier = await carrierOf(actor, sid, signal)
  return { ...carrier, gateways: await gatewaysOf(sid, signal) }
}
