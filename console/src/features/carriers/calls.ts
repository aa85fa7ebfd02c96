import type { Actor } from '@trunkline/contract/policy/actor'
import { messages } from '@trunkline/contract/messages/general'
import { addPredefinedToAccount, addPredefinedToProvider } from '@trunkline/contract/resources/predefined-carrier'
import { sipGateway } from '@trunkline/contract/resources/sip-gateway'
import { smppGateway } from '@trunkline/contract/resources/smpp-gateway'
import { carriersOfAccount, carriersOfProvider, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import type { SipGateway } from '@trunkline/contract/shapes/sip-gateway'
import type { VoipCarrier, VoipCarrierChanges, VoipCarrierDraft } from '@trunkline/contract/shapes/voip-carrier'
import { request } from '../../lib/client'
import { Problem } from '../../lib/problem'
import type { CarrierCalls } from './saver'
import type { WholeCarrier } from './values'

/** The rows of a list, whether the server gives them whole or by page. */
export const listed = <Row>(answer: Row[] | { data: Row[] }) => (Array.isArray(answer) ? answer : answer.data)

/** The provider below which a carrier is written: its own, and the current one for a new carrier. */
export interface Home {
  service_provider_sid: string
}

/** Account users write below their account, everybody else below the provider. */
export const carrierCalls = (actor: Actor, home: Home, atOnce: () => Promise<boolean>): CarrierCalls => ({
  atOnce,
  version: async (sid) => (await wholeCarrier(actor, sid)).version,
  create: async (body) => {
    const draft = body as VoipCarrierDraft
    const { sid } =
      actor.scope === 'account'
        ? await request(carriersOfAccount.create, { params: { account_sid: actor.account_sid }, body: draft })
        : await request(carriersOfProvider.create, { params: { ...home }, body: draft })
    return sid
  },
  update: async (voip_carrier_sid, body) => {
    const changes = body as VoipCarrierChanges
    if (actor.scope === 'account')
      await request(carriersOfAccount.update, {
        params: { account_sid: actor.account_sid, voip_carrier_sid },
        body: changes,
      })
    else await request(carriersOfProvider.update, { params: { ...home, voip_carrier_sid }, body: changes })
  },
  sip: {
    add: async (voip_carrier_sid, body) =>
      (await request(sipGateway.create, { body: { ...body, voip_carrier_sid } })).sid,
    change: (sip_gateway_sid, voip_carrier_sid, body) =>
      request(sipGateway.update, { params: { sip_gateway_sid }, body: { ...body, voip_carrier_sid } }),
    remove: (sip_gateway_sid) => request(sipGateway.remove, { params: { sip_gateway_sid } }),
  },
  smpp: {
    add: async (voip_carrier_sid, body) =>
      (await request(smppGateway.create, { body: { ...body, voip_carrier_sid } })).sid,
    change: (smpp_gateway_sid, voip_carrier_sid, body) =>
      request(smppGateway.update, { params: { smpp_gateway_sid }, body: { ...body, voip_carrier_sid } }),
    remove: (smpp_gateway_sid) => request(smppGateway.remove, { params: { smpp_gateway_sid } }),
  },
})

/** Makes a carrier of what is known of it in advance; answers its sid. */
export const addPredefined = async (actor: Actor, service_provider_sid: string, predefined_carrier_sid: string) => {
  const { sid } =
    actor.scope === 'account'
      ? await request(addPredefinedToAccount, { params: { account_sid: actor.account_sid, predefined_carrier_sid } })
      : await request(addPredefinedToProvider, { params: { service_provider_sid, predefined_carrier_sid } })
  return sid
}

export const gatewaysOf = async (voip_carrier_sid: string, signal?: AbortSignal): Promise<SipGateway[]> =>
  listed(await request(sipGateway.list, { query: { voip_carrier_sid }, signal }))

/**
 * Reads a carrier. One that a provider keeps for all its accounts is in the lists of their users, but is not answered to
 * them by itself: it is taken from the list.
 */
const carrierOf = async (actor: Actor, voip_carrier_sid: string, signal?: AbortSignal): Promise<VoipCarrier> => {
  try {
    return await request(voipCarrier.read, { params: { voip_carrier_sid }, signal })
  } catch (error) {
    if (!(error instanceof Problem) || ![400, 403].includes(error.status)) throw error
    const rows = actor.scope === 'account' ? listed(await request(voipCarrier.list, { signal })) : []
    const found = rows.find((row) => row.voip_carrier_sid === voip_carrier_sid)
    if (found) return found
    throw new Problem(error.status, error.body, { msg: messages.noAccess })
  }
}

/** What was read, as a version: without what other programs write, and whatever the order of the lists. */
const versionOf = ({ register_status: _, ...carrier }: VoipCarrier, gateways: object[], smpp: object[]) =>
  JSON.stringify([carrier, ...[gateways, smpp].map((rows) => rows.map((row) => JSON.stringify(row)).toSorted())])

/**
 * The carrier first: what is changed after it was read makes its version an old one, and never the other way round. Of a
 * server that says no version, all that was read is the version.
 */
export const wholeCarrier = async (actor: Actor, sid: string, signal?: AbortSignal): Promise<WholeCarrier> => {
  const carrier = await carrierOf(actor, sid, signal)
  const [gateways, smpp] = await Promise.all([
    gatewaysOf(sid, signal),
    request(smppGateway.list, { query: { voip_carrier_sid: sid }, signal }).then(listed),
  ])
  return { ...carrier, gateways, smpp, version: carrier.version ?? versionOf(carrier, gateways, smpp) }
}
