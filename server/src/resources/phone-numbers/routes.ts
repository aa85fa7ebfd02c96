import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { listQuery, listed } from '@trunkline/contract/kit/fields'
import { messages } from '@trunkline/contract/messages/phone-number'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import { assignApplication, phoneNumber, phoneNumbersOfProvider } from '@trunkline/contract/resources/phone-number'
import { assign, assigned, create, row, update, type PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { contains, type Look, type Owned, type Row } from '../../db/table'
import { bind } from '../../http/bind'
import { absent, badRequest, notFound, unprocessable } from '../../http/problem'
import { guarded, listOf, permit, serve } from '../../http/serve'
import type { Services } from '../../services'
import { accountOf, ownerInAccount } from '../accounts/service'

/** Bytes: ten thousand sids and what stands between them. */
const assignmentLimit = 512 * 1024

const look = ({ filter, account_sid, service_provider_sid }: z.output<typeof listQuery>): Look => ({
  ...(service_provider_sid ? { provider: service_provider_sid } : {}),
  where: [
    ...(filter ? [contains(sql`t.number`, filter)] : []),
    ...(account_sid ? [sql`t.account_sid = ${account_sid}`] : []),
  ],
})

export const phoneNumberRoutes = (app: FastifyInstance, services: Services, adminCarrier: boolean): void => {
  const { phoneNumbers, applications, voipCarriers, accounts, providers, quotas } = services

  const mayProvision = (actor: Actor) => {
    if (adminCarrier && actor.scope === 'account') throw badRequest('insufficient privileges')
  }

  /** A number rings in an application of its own account, so without an account there is none to choose. */
  const checkApplication = async (application_sid: string | null | undefined, { account_sid }: Owner) => {
    if (!application_sid) return
    if (!account_sid) throw badRequest('account_sid missing', 'account_sid')
    const found = await applications.find({ all: true }, application_sid)
    if (found?.account_sid !== account_sid) throw badRequest('unknown application_sid', 'application_sid')
  }

  /** The carrier exists and is the account's own or shared by its provider. Answers its provider. */
  const checkCarrier = async (voip_carrier_sid: string | null | undefined, owner: Owner): Promise<string | null> => {
    if (!voip_carrier_sid) return null
    const carrier = await voipCarriers.find({ all: true }, voip_carrier_sid)
    const foreign = owner.service_provider_sid !== null && carrier?.service_provider_sid !== owner.service_provider_sid
    if (!carrier || foreign) throw badRequest(`voip_carrier not found for sid ${voip_carrier_sid}`, 'voip_carrier_sid')
    if (carrier.account_sid && owner.account_sid && carrier.account_sid !== owner.account_sid)
      throw badRequest('voip_carrier_sid does not belong to the account', 'voip_carrier_sid')
    return carrier.service_provider_sid
  }

  const ownerOf = async (draft: Row, actor: Actor): Promise<Owner> => {
    mayProvision(actor)
    const account_sid = accountOf(actor, draft.account_sid as string | null)
    const named = (draft.service_provider_sid as string | null | undefined) ?? null
    if (account_sid) {
      const owner = await ownerInAccount(accounts, account_sid)
      if (actor.scope === 'admin' && named && named !== owner.service_provider_sid)
        throw badRequest('unknown service_provider_sid', 'service_provider_sid')
      return owner
    }
    if (actor.scope !== 'admin') return { account_sid: null, service_provider_sid: actor.service_provider_sid }
    if (named && !(await providers.find({ all: true }, named)))
      throw badRequest('unknown service_provider_sid', 'service_provider_sid')
    return { account_sid: null, service_provider_sid: named }
  }

  serve(app, phoneNumber, phoneNumbers, {
    row,
    create,
    update,
    missing: { read: absent, update: notFound },
    look,
    ownerOf,
    add: async (draft, phone_number_sid, actor) => {
      const owner = await ownerOf(draft, actor)
      const number = (draft.number as string).replace(/^\++/, '')
      const voip_carrier_sid = (draft.voip_carrier_sid as string | null | undefined) ?? null
      if (number === '') throw badRequest('number is required', 'number')
      // A number that says nothing of its provider is its carrier's provider's.
      const provider = (await checkCarrier(voip_carrier_sid, owner)) ?? owner.service_provider_sid
      await checkApplication(draft.application_sid as string | null, { ...owner, service_provider_sid: provider })
      if (await phoneNumbers.taken(number, voip_carrier_sid)) throw unprocessable(messages.taken, 'number')
      await quotas.check('phone_number', actor)
      // The column says what the account does not: an account's number is its provider's through the account.
      const service_provider_sid =
        actor.scope === 'service_provider' || !owner.account_sid ? owner.service_provider_sid : null
      await phoneNumbers.add({
        ...draft,
        number,
        phone_number_sid,
        account_sid: owner.account_sid,
        service_provider_sid,
      })
    },
    change: async (before: Owned<PhoneNumber>, changes, actor) => {
      if (changes.voip_carrier_sid) throw badRequest('voip_carrier_sid may not be modified', 'voip_carrier_sid')
      if (changes.service_provider_sid && changes.service_provider_sid !== before.owner.service_provider_sid)
        throw badRequest('service_provider_sid may not be modified', 'service_provider_sid')
      if (changes.number) throw badRequest('number may not be modified', 'number')
      const values: Row = {}
      for (const name of ['account_sid', 'application_sid']) if (name in changes) values[name] = changes[name]
      const after = { ...before, ...values }
      const owner = after.account_sid
        ? await ownerInAccount(accounts, after.account_sid)
        : { account_sid: null, service_provider_sid: before.owner.service_provider_sid }
      permit('phone_number', 'update', actor, owner)
      // A number that leaves its account stays with the provider, or it would belong to nobody.
      if (!after.account_sid && before.account_sid) values.service_provider_sid = owner.service_provider_sid
      await checkApplication(after.application_sid, owner)
      if (after.account_sid !== before.account_sid) await checkCarrier(before.voip_carrier_sid, owner)
      await phoneNumbers.change(before.phone_number_sid, values)
    },
    remove: async ({ phone_number_sid }) => {
      await phoneNumbers.remove(phone_number_sid)
    },
  })

  bind(app, phoneNumbersOfProvider, { query: listQuery, answer: listed(row) }, async ({ params, query, actor }) => {
    await guarded({ kind: 'service_provider', rows: providers }, 'read', actor, params.service_provider_sid)
    return listOf(phoneNumbers, 'phone_number', { ...query, ...params }, actor, look)
  })

  bind(
    app,
    assignApplication,
    { body: assign, answer: assigned, bodyLimit: assignmentLimit },
    async ({ body, actor }) => {
      const sids = [...new Set(body.phone_number_sids)]
      const found = await phoneNumbers.some(sids)
      // A number of another tenant is as unknown as one that does not exist.
      const mine = found.filter(({ owner }) => can(actor, 'update', 'phone_number', owner))
      if (mine.length < sids.length) throw badRequest('unknown phone_number_sid', 'phone_number_sids')
      for (const owner of distinct(mine.map((each) => each.owner))) await checkApplication(body.application_sid, owner)
      await phoneNumbers.assign(sids, body.application_sid)
      return { changed: sids.length }
    },
  )
}

const distinct = (owners: Owner[]): Owner[] => [
  ...new Map(owners.map((owner) => [`${owner.account_sid} ${owner.service_provider_sid}`, owner])).values(),
]
