import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { can, fullReach } from '@trunkline/contract/policy/can'
import type { Lcr } from '@trunkline/contract/shapes/lcr'
import type { WithOwner } from '../../db/repository'
import type { Connection, Row } from '../../db/repository-options'
import { badRequest, type Problem } from '../../http/problem'
import { isOwnerless } from '../voip-carriers/public'
import type { Services } from '../../composition/services'
import { unknownReference } from '../../shared/refusals'

/**
 * The owner of an LCR: an account or a provider, never both. Administrators may create an LCR without an owner. Throws
 * 400 for unknown SIDs.
 */
export const resolveOwner = async (
  draft: Row,
  actor: Actor,
  { accounts, providers }: Pick<Services, 'accounts' | 'providers'>,
): Promise<Owner> => {
  if (actor.scope === 'account') return { account_sid: actor.account_sid, service_provider_sid: null }
  if (actor.scope === 'service_provider') return { account_sid: null, service_provider_sid: actor.service_provider_sid }
  const { account_sid, service_provider_sid } = draft as { account_sid?: string; service_provider_sid?: string }
  if (account_sid) {
    if (!(await accounts.providerOf(account_sid))) throw unknownReference('account_sid')
    return { account_sid, service_provider_sid: null }
  }
  if (service_provider_sid && !(await providers.find(fullReach, service_provider_sid)))
    throw unknownReference('service_provider_sid')
  return { account_sid: null, service_provider_sid: service_provider_sid || null }
}

/**
 * Refuses a second LCR of the same owner. The database has no key for this rule, so the owner is locked in the
 * transaction that writes the LCR. The irregular spaces in the messages are part of the API.
 */
export const checkOwnerHasNoLcr = async (
  { account_sid, service_provider_sid }: Owner,
  { lcrs, accounts, providers }: Pick<Services, 'lcrs' | 'accounts' | 'providers'>,
  exceptSid: string,
  tx: Connection,
): Promise<void> => {
  if (account_sid) {
    await accounts.lockRow(account_sid, tx)
    if (!(await lcrs.ownerHasOtherLcr('account_sid', account_sid, exceptSid, tx))) return
    const name = (await accounts.find(fullReach, account_sid, tx))?.name
    throw badRequest(`Account: ${name}  already has an active call routing table.`, 'account_sid')
  }
  if (service_provider_sid) {
    await providers.lockRow(service_provider_sid, tx)
    if (!(await lcrs.ownerHasOtherLcr('service_provider_sid', service_provider_sid, exceptSid, tx))) return
    const name = (await providers.find(fullReach, service_provider_sid, tx))?.name
    throw badRequest(
      `Service Provider: ${name} already \n      has an active call routing table.`,
      'service_provider_sid',
    )
  }
}

/** Finds an LCR for an action. An LCR that the actor may not access is reported as missing. */
export const findPermittedLcr = async (
  { lcrs }: Pick<Services, 'lcrs'>,
  actor: Actor,
  action: 'read' | 'update',
  lcr_sid: string,
  missingProblem: () => Problem = () => unknownReference('lcr_sid'),
): Promise<WithOwner<Lcr>> => {
  const lcr = await lcrs.find(fullReach, lcr_sid)
  if (!lcr || !can(actor, action, 'lcr', lcr.owner)) throw missingProblem()
  return lcr
}

/** A carrier in a body, and the path of the field that contains it. */
export interface CarrierReference {
  voip_carrier_sid: string
  field: string
}

/** The LCR that is being saved. `lcr_sid` is absent for a new one. */
interface LcrContext {
  owner: Owner
  actor: Actor
  lcr_sid?: string
}

/**
 * Checks that the owner of the LCR may use each carrier: the account's own carriers and those shared by its provider.
 * Only administrators may choose a carrier without an owner, but one that the LCR already uses may stay.
 */
export const checkCarriers = async (
  { owner, actor, lcr_sid }: LcrContext,
  references: readonly CarrierReference[],
  { voipCarriers, accounts, lcrRoutes }: Pick<Services, 'voipCarriers' | 'accounts' | 'lcrRoutes'>,
): Promise<void> => {
  const isInLcr = async (sid: string) => {
    const routes = lcr_sid ? await lcrRoutes.listByLcr(lcr_sid) : []
    return routes.some((route) => route.lcr_carrier_set_entries.some((entry) => entry.voip_carrier_sid === sid))
  }
  const service_provider_sid = owner.account_sid
    ? await accounts.providerOf(owner.account_sid)
    : owner.service_provider_sid
  const isUsableByOwner = async (sid: string): Promise<boolean> => {
    const carrier = await voipCarriers.find(fullReach, sid)
    if (!carrier) return false
    if (isOwnerless(carrier)) return actor.scope === 'admin' || isInLcr(sid)
    return (
      carrier.service_provider_sid === service_provider_sid &&
      (!carrier.account_sid || carrier.account_sid === owner.account_sid)
    )
  }
  const checkedSids = new Set<string>()
  for (const { voip_carrier_sid, field } of references) {
    if (checkedSids.has(voip_carrier_sid)) continue
    checkedSids.add(voip_carrier_sid)
    if (!(await isUsableByOwner(voip_carrier_sid))) throw unknownReference('voip_carrier_sid', field)
  }
}
