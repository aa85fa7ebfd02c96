import { messages } from '@trunkline/contract/messages/phone-number'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import type { WithOwner, Row } from '../../db/repository'
import { badRequest, unprocessable } from '../../http/problem'
import { requirePermission } from '../../http/serve'
import { accountOf, type ownerInAccount } from '../accounts/public'
import { isOwnerless } from '../voip-carriers/public'
import type { Services } from '../../services'

const everything = { all: true } as const

/** What the rules have to look up, by sid. */
export interface Found {
  carrier: (sid: string) => ReturnType<Services['voipCarriers']['find']>
  application: (sid: string) => ReturnType<Services['applications']['find']>
  provider: (sid: string) => ReturnType<Services['providers']['find']>
  ownerInAccount: (sid: string) => ReturnType<typeof ownerInAccount>
}

/** The look-ups of one request about one number. */
export const lookUps = (services: Services, inAccount: typeof ownerInAccount): Found => ({
  carrier: (sid) => services.voipCarriers.find(everything, sid),
  application: (sid) => services.applications.find(everything, sid),
  provider: (sid) => services.providers.find(everything, sid),
  ownerInAccount: (sid) => inAccount(services.accounts, sid),
})

/** The same for a request about many: nothing is looked up twice. */
export const lookUpsOnce = (found: Found): Found => {
  const once = <Answer>(ask: (sid: string) => Promise<Answer>) => {
    const known = new Map<string, Promise<Answer>>()
    return (sid: string) => {
      const answer = known.get(sid) ?? ask(sid)
      known.set(sid, answer)
      return answer
    }
  }
  return {
    carrier: once(found.carrier),
    application: once(found.application),
    provider: once(found.provider),
    ownerInAccount: once(found.ownerInAccount),
  }
}

const textOr = (value: unknown) => (value ?? null) as string | null

/** As numbers are kept: without the plus in front. */
export const storedNumber = (number: string) => number.replace(/^\++/, '')

export const taken = () => unprocessable(messages.taken, 'number')

/** The rules of a phone number, whether it comes alone or with many. What they refuse is thrown. */
export const numberRules = ({ carrier, application, provider, ownerInAccount }: Found, adminCarrier: boolean) => {
  /** A number rings in an application of its own account, so without an account there is none to choose. */
  const checkApplication = async (application_sid: string | null | undefined, { account_sid }: Owner) => {
    if (!application_sid) return
    if (!account_sid) throw badRequest('account_sid missing', 'account_sid')
    const found = await application(application_sid)
    if (found?.account_sid !== account_sid) throw badRequest('unknown application_sid', 'application_sid')
  }

  /**
   * The carrier exists and is the account's own or shared by its provider. One without owner is for administrators to
   * choose (`mayBeOwnerless`). Answers its provider.
   */
  const checkCarrier = async (
    voip_carrier_sid: string | null | undefined,
    owner: Owner,
    mayBeOwnerless: boolean,
  ): Promise<string | null> => {
    if (!voip_carrier_sid) return null
    const found = await carrier(voip_carrier_sid)
    const foreign = owner.service_provider_sid !== null && found?.service_provider_sid !== owner.service_provider_sid
    const ownerless = found !== undefined && isOwnerless(found)
    if (!found || (ownerless ? !mayBeOwnerless : foreign))
      throw badRequest(`voip_carrier not found for sid ${voip_carrier_sid}`, 'voip_carrier_sid')
    if (found.account_sid && owner.account_sid && found.account_sid !== owner.account_sid)
      throw badRequest('voip_carrier_sid does not belong to the account', 'voip_carrier_sid')
    return found.service_provider_sid
  }

  const ownerOf = async (draft: Row, actor: Actor): Promise<Owner> => {
    if (adminCarrier && actor.scope === 'account') throw badRequest('insufficient privileges')
    const account_sid = accountOf(actor, draft.account_sid as string | null)
    const named = textOr(draft.service_provider_sid)
    if (account_sid) {
      const owner = await ownerInAccount(account_sid)
      if (actor.scope === 'admin' && named && named !== owner.service_provider_sid)
        throw badRequest('unknown service_provider_sid', 'service_provider_sid')
      return owner
    }
    if (actor.scope !== 'admin') return { account_sid: null, service_provider_sid: actor.service_provider_sid }
    if (named && !(await provider(named))) throw badRequest('unknown service_provider_sid', 'service_provider_sid')
    return { account_sid: null, service_provider_sid: named }
  }

  return {
    ownerOf,
    checkApplication,

    /** The columns of a new number but for its sid. Whether it is taken is for others to say. */
    async added(draft: Row, actor: Actor): Promise<Row & { number: string; voip_carrier_sid: string | null }> {
      const owner = await ownerOf(draft, actor)
      const number = storedNumber(draft.number as string)
      const voip_carrier_sid = textOr(draft.voip_carrier_sid)
      if (number === '') throw badRequest('number is required', 'number')
      // A number that says nothing of its provider is its carrier's provider's.
      const service_provider =
        (await checkCarrier(voip_carrier_sid, owner, actor.scope === 'admin')) ?? owner.service_provider_sid
      await checkApplication(textOr(draft.application_sid), { ...owner, service_provider_sid: service_provider })
      // The column says what the account does not: an account's number is its provider's through the account.
      const service_provider_sid =
        actor.scope === 'service_provider' || !owner.account_sid ? owner.service_provider_sid : null
      return { ...draft, number, voip_carrier_sid, account_sid: owner.account_sid, service_provider_sid }
    },

    /** The columns that change. */
    async changed(before: WithOwner<PhoneNumber>, changes: Row, actor: Actor): Promise<Row> {
      if (changes.voip_carrier_sid) throw badRequest('voip_carrier_sid may not be modified', 'voip_carrier_sid')
      if (changes.service_provider_sid && changes.service_provider_sid !== before.owner.service_provider_sid)
        throw badRequest('service_provider_sid may not be modified', 'service_provider_sid')
      if (changes.number) throw badRequest('number may not be modified', 'number')
      const values: Row = {}
      for (const name of ['account_sid', 'application_sid'])
        if (changes[name] !== undefined) values[name] = changes[name]
      const after = { ...before, ...values }
      const owner = after.account_sid
        ? await ownerInAccount(after.account_sid)
        : { account_sid: null, service_provider_sid: before.owner.service_provider_sid }
      requirePermission('phone_number', 'update', actor, owner)
      // A number that leaves its account stays with the provider, or it would belong to nobody.
      if (!after.account_sid && before.account_sid) values.service_provider_sid = owner.service_provider_sid
      await checkApplication(after.application_sid, owner)
      // The number is on its carrier already: whoever may give it to an account may do so on an ownerless one too.
      if (after.account_sid !== before.account_sid) await checkCarrier(before.voip_carrier_sid, owner, true)
      return values
    },
  }
}

export type NumberRules = ReturnType<typeof numberRules>
