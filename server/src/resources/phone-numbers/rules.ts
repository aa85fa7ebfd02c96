import { fullReach } from '@trunkline/contract/policy/can'
import { messages } from '@trunkline/contract/messages/phone-number'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import type { WithOwner } from '../../db/repository'
import type { Row } from '../../db/repository-options'
import { badRequest, unprocessable } from '../../http/problem'
import { requirePermission } from '../../http/resource-routes'
import { resolveAccountSid, findOwnerForAccount } from '../accounts/public'
import { isOwnerless } from '../voip-carriers/public'
import type { Services } from '../../composition/services'
import { accountMissing, immutableField, insufficientPrivileges, unknownReference } from '../../shared/refusals'

/** The lookups that the rules need. Each takes a SID. */
export interface Lookups {
  carrier: (sid: string) => ReturnType<Services['voipCarriers']['find']>
  application: (sid: string) => ReturnType<Services['applications']['find']>
  provider: (sid: string) => ReturnType<Services['providers']['find']>
  ownerInAccount: (sid: string) => ReturnType<typeof findOwnerForAccount>
}

export const createLookups = (
  services: Pick<Services, 'voipCarriers' | 'applications' | 'providers' | 'accounts'>,
): Lookups => ({
  carrier: (sid) => services.voipCarriers.find(fullReach, sid),
  application: (sid) => services.applications.find(fullReach, sid),
  provider: (sid) => services.providers.find(fullReach, sid),
  ownerInAccount: (sid) => findOwnerForAccount(services.accounts, sid),
})

/** Caches the lookups, for a request about many numbers. */
export const memoizeLookups = (lookups: Lookups): Lookups => {
  const memoize = <Result>(lookup: (sid: string) => Promise<Result>) => {
    const resultBySid = new Map<string, Promise<Result>>()
    return (sid: string) => {
      const result = resultBySid.get(sid) ?? lookup(sid)
      resultBySid.set(sid, result)
      return result
    }
  }
  return {
    carrier: memoize(lookups.carrier),
    application: memoize(lookups.application),
    provider: memoize(lookups.provider),
    ownerInAccount: memoize(lookups.ownerInAccount),
  }
}

const toSid = (value: unknown) => (value ?? null) as string | null

/** Numbers are stored without the leading plus. */
export const normalizeNumber = (number: string) => number.replace(/^\++/, '')

export const duplicateNumber = () => unprocessable(messages.duplicateNumber, 'number')

/** The columns of a new number, except its SID. */
type NewNumberValues = Row & {
  number: string
  voip_carrier_sid: string | null
  account_sid: string | null
  application_sid: string | null
}

/** The rules of phone numbers, for single requests and imports. */
export const createNumberRules = (lookups: Lookups, adminCarrier: boolean) => {
  /** The application must belong to the number's account, so a number without account cannot have one. */
  const checkApplication = async (application_sid: string | null | undefined, { account_sid }: Owner) => {
    if (!application_sid) return
    if (!account_sid) throw accountMissing()
    const applicationRow = await lookups.application(application_sid)
    if (applicationRow?.account_sid !== account_sid) throw unknownReference('application_sid')
  }

  /**
   * The carrier must exist, and belong to the account or be shared by its provider. `allowOwnerless`: a carrier without
   * owner is accepted, which only administrators may choose.
   */
  const checkCarrier = async (
    voip_carrier_sid: string | null | undefined,
    owner: Owner,
    allowOwnerless: boolean,
  ): Promise<void> => {
    if (!voip_carrier_sid) return
    const carrierRow = await lookups.carrier(voip_carrier_sid)
    const isForeign =
      owner.service_provider_sid !== null && carrierRow?.service_provider_sid !== owner.service_provider_sid
    const hasNoOwner = carrierRow !== undefined && isOwnerless(carrierRow)
    if (!carrierRow || (hasNoOwner ? !allowOwnerless : isForeign))
      throw badRequest(`voip_carrier not found for sid ${voip_carrier_sid}`, 'voip_carrier_sid')
    if (carrierRow.account_sid && owner.account_sid && carrierRow.account_sid !== owner.account_sid)
      throw badRequest('voip_carrier_sid does not belong to the account', 'voip_carrier_sid')
  }

  const ownerOf = async (draft: Row, actor: Actor): Promise<Owner> => {
    if (adminCarrier && actor.scope === 'account') throw insufficientPrivileges()
    const account_sid = resolveAccountSid(actor, draft.account_sid as string | null)
    const requestedProviderSid = toSid(draft.service_provider_sid)
    if (account_sid) {
      const owner = await lookups.ownerInAccount(account_sid)
      if (actor.scope === 'admin' && requestedProviderSid && requestedProviderSid !== owner.service_provider_sid)
        throw unknownReference('service_provider_sid')
      return owner
    }
    if (actor.scope !== 'admin') return { account_sid: null, service_provider_sid: actor.service_provider_sid }
    if (requestedProviderSid && !(await lookups.provider(requestedProviderSid)))
      throw unknownReference('service_provider_sid')
    return { account_sid: null, service_provider_sid: requestedProviderSid }
  }

  return {
    ownerOf,
    checkApplication,

    /** Checks a draft and returns the columns of the new number. Does not check for duplicates. */
    async resolveDraft(draft: Row, actor: Actor): Promise<NewNumberValues> {
      const owner = await ownerOf(draft, actor)
      const number = normalizeNumber(draft.number as string)
      const voip_carrier_sid = toSid(draft.voip_carrier_sid)
      if (number === '') throw badRequest('number is required', 'number')
      await checkCarrier(voip_carrier_sid, owner, actor.scope === 'admin')
      const application_sid = toSid(draft.application_sid)
      await checkApplication(application_sid, owner)
      // For a number in an account the column stays null: the provider follows from the account.
      const service_provider_sid =
        actor.scope === 'service_provider' || !owner.account_sid ? owner.service_provider_sid : null
      const { account_sid } = owner
      return { ...draft, number, voip_carrier_sid, account_sid, application_sid, service_provider_sid }
    },

    /** Checks an update and returns the columns to write. */
    async resolveChanges(current: WithOwner<PhoneNumber>, changes: Row, actor: Actor): Promise<Row> {
      if (changes.voip_carrier_sid) throw immutableField('voip_carrier_sid')
      if (changes.service_provider_sid && changes.service_provider_sid !== current.owner.service_provider_sid)
        throw immutableField('service_provider_sid')
      if (changes.number) throw immutableField('number')
      const values: Row = {}
      for (const name of ['account_sid', 'application_sid'])
        if (changes[name] !== undefined) values[name] = changes[name]
      const updated = { ...current, ...values }
      const owner = updated.account_sid
        ? await lookups.ownerInAccount(updated.account_sid)
        : { account_sid: null, service_provider_sid: current.owner.service_provider_sid }
      requirePermission('phone_number', 'update', actor, owner)
      // A number that leaves its account stays with the provider. Otherwise it would have no owner.
      if (!updated.account_sid && current.account_sid) values.service_provider_sid = owner.service_provider_sid
      await checkApplication(updated.application_sid, owner)
      // The number already has this carrier, so it may move to an account even if the carrier has no owner.
      if (updated.account_sid !== current.account_sid) await checkCarrier(current.voip_carrier_sid, owner, true)
      return values
    },
  }
}

export type NumberRules = ReturnType<typeof createNumberRules>
