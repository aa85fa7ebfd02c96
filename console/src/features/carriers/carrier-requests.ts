import type { Actor } from '@trunkline/contract/policy/actor'
import { messages } from '@trunkline/contract/messages/general'
import { addPredefinedToAccount, addPredefinedToProvider } from '@trunkline/contract/resources/predefined-carrier'
import { sipGateway } from '@trunkline/contract/resources/sip-gateway'
import { smppGateway } from '@trunkline/contract/resources/smpp-gateway'
import { carriersOfAccount, carriersOfProvider, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import type { SipGateway } from '@trunkline/contract/shapes/sip-gateway'
import type { VoipCarrier, VoipCarrierDraft } from '@trunkline/contract/shapes/voip-carrier'
import { request } from '../../lib/client'
import { Problem } from '../../lib/problem'
import { requestList } from '../../lib/request-list'
import type { CarrierRequests } from './save-carrier'
import { updateCarrier } from './update-carrier'
import type { CarrierWithGateways } from './values'

/**
 * The provider in the URL of a write: that of the carrier, or the current one for a new carrier. The form changes it once
 * it has read the carrier.
 */
export interface ProviderParams {
  service_provider_sid: string
}

/**
 * Creates the requests of a save. Account users write to their account's path, everyone else to the provider's.
 * `providerParams` is read at each request, because it may change.
 */
export const createCarrierRequests = (
  actor: Actor,
  providerParams: ProviderParams,
  canSaveInOneRequest: () => Promise<boolean>,
): CarrierRequests => ({
  canSaveInOneRequest,
  readVersion: async (sid) => (await readCarrier(actor, sid)).version,
  create: async (body) => {
    const draft = body as VoipCarrierDraft
    const { sid } =
      actor.scope === 'account'
        ? await request(carriersOfAccount.create, { params: { account_sid: actor.account_sid }, body: draft })
        : await request(carriersOfProvider.create, { params: { ...providerParams }, body: draft })
    return sid
  },
  update: (voip_carrier_sid, body) => updateCarrier(actor, providerParams, voip_carrier_sid, body),
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

/** Creates a carrier from a predefined one; returns its SID. */
export const addPredefinedCarrier = async (
  actor: Actor,
  service_provider_sid: string,
  predefined_carrier_sid: string,
) => {
  const { sid } =
    actor.scope === 'account'
      ? await request(addPredefinedToAccount, { params: { account_sid: actor.account_sid, predefined_carrier_sid } })
      : await request(addPredefinedToProvider, { params: { service_provider_sid, predefined_carrier_sid } })
  return sid
}

export const listSipGateways = async (voip_carrier_sid: string, signal?: AbortSignal): Promise<SipGateway[]> =>
  (await requestList(sipGateway.list, { query: { voip_carrier_sid }, signal })).rows

/**
 * Reads a carrier. Account users can list a carrier that their provider shares, but not read it, so it is taken from
 * their list.
 */
export const readCarrierRow = async (
  actor: Actor,
  voip_carrier_sid: string,
  signal?: AbortSignal,
): Promise<VoipCarrier> => {
  try {
    return await request(voipCarrier.read, { params: { voip_carrier_sid }, signal })
  } catch (error) {
    if (!(error instanceof Problem) || ![400, 403].includes(error.status)) throw error
    const rows = actor.scope === 'account' ? (await requestList(voipCarrier.list, { signal })).rows : []
    const listedRow = rows.find((row) => row.voip_carrier_sid === voip_carrier_sid)
    if (listedRow) return listedRow
    throw new Problem(error.status, error.body, { msg: messages.noAccess })
  }
}

/**
 * Computes a version from the stored data. Ignores the register status, which the SIP servers write, and the order of
 * the gateways.
 */
const computeVersion = ({ register_status: _, ...carrier }: VoipCarrier, gateways: object[], smppGateways: object[]) =>
  JSON.stringify([
    carrier,
    ...[gateways, smppGateways].map((rows) => rows.map((row) => JSON.stringify(row)).toSorted()),
  ])

/**
 * Reads a carrier with its gateways. Reads the carrier first: a change in between then makes the version outdated, and
 * the save detects the conflict; the other order would hide the change. If the server returns no version, the data that
 * was read serves as one.
 */
export const readCarrier = async (actor: Actor, sid: string, signal?: AbortSignal): Promise<CarrierWithGateways> => {
  const carrier = await readCarrierRow(actor, sid, signal)
  const [gateways, { rows: smppGateways }] = await Promise.all([
    listSipGateways(sid, signal),
    requestList(smppGateway.list, { query: { voip_carrier_sid: sid }, signal }),
  ])
  return {
    ...carrier,
    gateways,
    smppGateways,
    version: carrier.version ?? computeVersion(carrier, gateways, smppGateways),
  }
}
