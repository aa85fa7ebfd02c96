import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Actor } from '@trunkline/contract/policy/actor'
import { registeredUsers } from '@trunkline/contract/resources/live-call'
import { registeredUser, type RegisteredUser } from '@trunkline/contract/shapes/live-call'
import { mountRoute } from '../../http/mount-route'
import { badRequest } from '../../http/problem'
import type { Registration } from '../../ports/live-platform'
import type { Services } from '../../services'
import { accountNotFound } from '../../shared/refusals'
import { authorizeOwner } from '../live-calls/public'

const presentCallPermissions = (registration: Registration = {}) => ({
  allow_direct_app_calling: registration.allow_direct_app_calling === true,
  allow_direct_queue_calling: registration.allow_direct_queue_calling === true,
  allow_direct_user_calling: registration.allow_direct_user_calling === true,
})

/** The registration of a user. An expired registration is reported as inactive. */
const presentUser = (name: string, registration: Registration | undefined, now: number): RegisteredUser => {
  const expiryTime = registration?.expiryTime ?? 0
  return {
    name,
    contact: registration?.contact ?? null,
    expiryTime,
    protocol: registration?.protocol ?? null,
    sbcAddress: registration?.sbcAddress ?? null,
    ...presentCallPermissions(registration),
    registered_status: expiryTime > now ? 'active' : 'inactive',
    proxy: registration?.proxy ?? null,
  }
}

/** Any value that is not an array counts as an empty list. */
const userNames = z.preprocess(
  (value): unknown => (Array.isArray(value) ? value : []),
  z.array(z.string().max(255)).max(1000),
)

/** Devices registered in an account's SIP realm. */
export const registeredUserRoutes = (app: FastifyInstance, { livePlatform, accounts, clients }: Services): void => {
  /** The account's realm. Throws if the actor may not access it. */
  const realmOf = async (actor: Actor, account_sid: string): Promise<string> => {
    await authorizeOwner(actor, 'read', account_sid, (sid) => accounts.providerOf(sid))
    const account = await accounts.find({ all: true }, account_sid)
    if (!account) throw accountNotFound(account_sid)
    if (!account.sip_realm) throw badRequest('account does not have sip_realm configuration')
    return account.sip_realm
  }

  /** The registration's own values override the stored rights of the client. */
  const describeUsers = async (account_sid: string, realm: string, users: string[]): Promise<RegisteredUser[]> => {
    const registrations = await livePlatform.registrations(realm, users)
    const permissions = await clients.callPermissionsOf(account_sid, users)
    return users.map((user, index) =>
      presentUser(user, { ...permissions.get(user), ...registrations[index] }, Date.now()),
    )
  }

  const registeredNames = async (realm: string) =>
    (await livePlatform.registered(realm)).map((address) => address.slice(0, address.lastIndexOf('@')))

  mountRoute(
    app,
    registeredUsers.list,
    { response: z.array(z.string()), checkSids: false },
    async ({ actor, params }) => livePlatform.registered(await realmOf(actor, params.account_sid)),
  )
  mountRoute(
    app,
    registeredUsers.readMany,
    { body: userNames, response: z.array(registeredUser), checkSids: false },
    async ({ actor, params: { account_sid }, body }) => {
      const realm = await realmOf(actor, account_sid)
      return describeUsers(account_sid, realm, body.length > 0 ? body : await registeredNames(realm))
    },
  )
  mountRoute(app, registeredUsers.read, { response: registeredUser, checkSids: false }, async ({ actor, params }) => {
    const realm = await realmOf(actor, params.account_sid)
    const [user] = await describeUsers(params.account_sid, realm, [params.user])
    return user!
  })
}
