import { fullReach } from '@trunkline/contract/policy/can'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import {
  findGatewayErrors,
  findGatewayRefusal,
  findMissingGatewaysError,
  maxNetmask,
  type GatewayEntry,
} from '@trunkline/contract/telephony/gateways'
import {
  isUsedFor,
  findMissingOutboundError,
  findSmppErrors,
  type Direction,
  type SmppEntry,
} from '@trunkline/contract/telephony/smpp'
import type { WithOwner } from '../../db/repository'
import type { Row } from '../../db/repository-options'
import { badRequest } from '../../http/problem'
import type { Services } from '../../composition/services'
import { accountMissing, unknownReference } from '../../shared/refusals'
import type { GatewayLists } from './carrier-aggregate'

type Repositories = Pick<Services, 'accounts' | 'applications' | 'providers'>
type Carrier = Pick<
  VoipCarrier,
  'trunk_type' | 'requires_register' | 'register_username' | 'register_password' | 'account_sid' | 'application_sid'
>

/** Whether a carrier belongs to neither a provider nor an account. Only administrators can create such carriers. */
export const isOwnerless = ({
  account_sid,
  service_provider_sid,
}: Pick<VoipCarrier, 'account_sid' | 'service_provider_sid'>): boolean => !account_sid && !service_provider_sid

/** Registration requires a username and a password. */
const checkRegistration = (carrier: Carrier) => {
  if (!carrier.requires_register) return
  for (const field of ['register_username', 'register_password'] as const)
    if (!carrier[field]) throw badRequest(`${field} is required when requires_register is true`, field)
}

const checkApplication = async ({ application_sid, account_sid }: Carrier, { applications }: Repositories) => {
  if (!application_sid) return
  if (!account_sid) throw accountMissing()
  const application = await applications.find(fullReach, application_sid)
  if (!application) throw unknownReference('application_sid')
  if (application.account_sid !== account_sid)
    throw badRequest('application_sid does not exist for specified account_sid', 'application_sid')
}

/** Whether the values change the application or the account of a carrier. */
export const isApplicationChecked = (values: Row, current: Partial<VoipCarrier>): boolean =>
  (['account_sid', 'application_sid'] as const).some((field) => field in values && values[field] !== current[field])

/**
 * Checks a carrier before it is written. A rule runs only if the body contains one of its fields, so that other fields of an
 * invalid carrier from an older client can still be edited.
 */
export const checkCarrier = async (
  values: Row,
  current: Partial<VoipCarrier>,
  repositories: Repositories,
): Promise<void> => {
  const updated = { ...current, ...values } as Carrier
  // This trunk type always registers.
  if (updated.trunk_type === 'reg' && !updated.requires_register)
    values.requires_register = updated.requires_register = 1
  if (['trunk_type', 'requires_register', 'register_username', 'register_password'].some((field) => field in values))
    checkRegistration(updated)
  if (isApplicationChecked(values, current)) await checkApplication(updated, repositories)
}

/** The owner of a carrier. For a carrier of an account, the provider is that of the account. */
export const resolveCarrierOwner = async (
  draft: { account_sid?: string | null; service_provider_sid?: string | null },
  { accounts, providers }: Repositories,
): Promise<Owner> => {
  const { account_sid, service_provider_sid } = draft
  if (!account_sid) {
    if (service_provider_sid && !(await providers.find(fullReach, service_provider_sid)))
      throw unknownReference('service_provider_sid')
    return { account_sid: null, service_provider_sid: service_provider_sid ?? null }
  }
  const providerSid = await accounts.providerOf(account_sid)
  if (!providerSid || (service_provider_sid && service_provider_sid !== providerSid))
    throw unknownReference('account_sid')
  return { account_sid, service_provider_sid: providerSid }
}

/** The owner of a new carrier: the account or provider of the actor, or for administrators the owner in the body. */
export const defaultOwner = (
  actor: Actor,
  draft: Row,
): { account_sid?: string | null; service_provider_sid?: string | null } => {
  if (actor.scope === 'account') return { account_sid: actor.account_sid }
  const account_sid = draft.account_sid as string | null | undefined
  if (actor.scope === 'service_provider') return { account_sid, service_provider_sid: actor.service_provider_sid }
  return { account_sid, service_provider_sid: draft.service_provider_sid as string | null | undefined }
}

/** The values and owner of an updated carrier. Leaves out columns that the SIP servers write. */
export const resolveCarrierChanges = async (
  current: WithOwner<VoipCarrier>,
  body: Row,
  repositories: Repositories,
): Promise<{ values: Row; owner: Owner }> => {
  const { register_status: _, created_at: __, ...values } = body
  const updated = { ...current, ...values } as VoipCarrier
  const providerSid = updated.account_sid ? null : updated.service_provider_sid
  const owner = await resolveCarrierOwner(
    { account_sid: updated.account_sid, service_provider_sid: providerSid },
    repositories,
  )
  if ('account_sid' in values || 'service_provider_sid' in values)
    values.service_provider_sid = owner.service_provider_sid
  await checkCarrier(values, current, repositories)
  return { values, owner }
}

type GatewayCarrier = Partial<
  Pick<VoipCarrier, 'trunk_type' | 'smpp_system_id' | 'smpp_password' | 'smpp_inbound_password'>
>

const checkSipGateways = (
  gateways: GatewayEntry[],
  { trunk_type }: GatewayCarrier,
  minimumNetmask: number | undefined,
) => {
  const missingGatewaysError = findMissingGatewaysError(gateways, trunk_type)
  if (missingGatewaysError) throw badRequest(missingGatewaysError, 'sip_gateways')
  for (const { row, field, message } of findGatewayErrors(gateways))
    throw badRequest(message, `sip_gateways.${row}.${field}`)
  for (const [row, gateway] of gateways.entries()) {
    const refusal = findGatewayRefusal(gateway, minimumNetmask)
    if (refusal) throw badRequest(refusal.msg, `sip_gateways.${row}.${refusal.field}`)
  }
}

/** The gateways of one direction. `row` is their index in the complete list. */
const gatewaysInDirection = (direction: Direction, gateways: SmppEntry[]) =>
  gateways.map((gateway, row) => ({ gateway, row })).filter(({ gateway }) => isUsedFor(direction, gateway))

const checkSmppGateways = (gateways: SmppEntry[], carrier: GatewayCarrier) => {
  const missingGatewaysError = findMissingOutboundError(carrier, gatewaysInDirection('outbound', gateways))
  if (missingGatewaysError) throw badRequest(missingGatewaysError, 'smpp_gateways')
  for (const direction of ['outbound', 'inbound'] as const) {
    const indexedGateways = gatewaysInDirection(direction, gateways)
    for (const { row, field, message } of findSmppErrors(
      direction,
      indexedGateways.map(({ gateway }) => gateway),
    ))
      throw badRequest(message, `smpp_gateways.${indexedGateways[row]!.row}.${field}`)
  }
  if (gatewaysInDirection('inbound', gateways).length > 0 && !carrier.smpp_inbound_password)
    throw badRequest('smpp_inbound_password is required for inbound SMPP gateways', 'smpp_inbound_password')
}

/** Completes the gateways of a body with their stored columns, because an update keeps the columns that the body omits. */
export const addStoredColumns = (
  { sip_gateways, smpp_gateways }: GatewayLists,
  storedGateways: Record<keyof GatewayLists, Row[]>,
): GatewayLists => {
  const completeRow = (row: Row, key: string, storedRows: Row[]) => ({
    ...storedRows.find((storedRow) => storedRow[key] === row[key]),
    ...row,
  })
  return {
    sip_gateways: sip_gateways?.map((row) => completeRow(row, 'sip_gateway_sid', storedGateways.sip_gateways)),
    smpp_gateways: smpp_gateways?.map((row) => completeRow(row, 'smpp_gateway_sid', storedGateways.smpp_gateways)),
  }
}

/** Checks the gateway lists of a body, together with the carrier after the update. */
export const checkGateways = (
  { sip_gateways, smpp_gateways }: GatewayLists,
  carrier: GatewayCarrier,
  minimumNetmask: number | undefined,
): void => {
  if (sip_gateways)
    checkSipGateways(
      sip_gateways.map((row) => ({ netmask: maxNetmask, ...row }) as unknown as GatewayEntry),
      carrier,
      minimumNetmask,
    )
  if (smpp_gateways) checkSmppGateways(smpp_gateways as unknown as SmppEntry[], carrier)
}
