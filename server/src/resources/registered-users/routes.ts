import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { fullReach } from '@trunkline/contract/policy/can'
import type { Actor } from '@trunkline/contract/policy/actor'
import { registeredUsers } from '@trunkline/contract/resources/live-call'
import { registeredUserSchema, type RegisteredUser } from '@trunkline/contract/shapes/live-call'
import { mountRoute } from '../../http/mount-route'
import { badRequest } from '../../http/problem'
import type { Registration } from '../../ports/live-platform'
import type { Services } from '../../composition/services'
import { accountNotFound } from '../../shared/refusals'
import { authorizeLiveCallAccess } from '../live-calls/public'

type CallPermissions = Pick<
  Registration,
  'allow_direct_app_calling' | 'allow_direct_queue_calling' | 'allow_direct_user_calling'
>

/** A permission in the registration overrides that of the stored SIP client. Without either, it is denied. */
const mergeCallPermissions = (registration: CallPermissions = {}, client: CallPermissions = {}) => ({
  allow_direct_app_calling: registration.allow_direct_app_calling ?? client.allow_direct_app_calling ?? false,
  allow_direct_queue_calling: registration.allow_direct_queue_calling ?? client.allow_direct_queue_calling ?? false,
  allow_direct_user_calling: registration.allow_direct_user_calling ?? client.allow_direct_user_calling ?? false,
})

/** The registration of a user as the API returns it. An expired registration is inactive. */
const presentRegistration = (
  name: string,
  registration: Registration | undefined,
  clientPermissions: CallPermissions | undefined,
): RegisteredUser => {
  const expiryTime = registration?.expiryTime ?? 0
  return {
    name,
    contact: registration?.contact ?? null,
    expiryTime,
    protocol: registration?.protocol ?? null,
    sbcAddress: registration?.sbcAddress ?? null,
    ...mergeCallPermissions(registration, clientPermissions),
    registered_status: expiryTime > Date.now() ? 'active' : 'inactive',
    proxy: registration?.proxy ?? null,
  }
}

/** A list of usernames. A body that is not a list counts as an empty one. */
const usernamesSchema = z.preprocess(
  (value): unknown => (Array.isArray(value) ? value : []),
  z.array(z.string().max(255)).max(1000),
)

/** Devices registered in an account's SIP realm. */
export const registeredUserRoutes = (
  app: FastifyInstance,
  { livePlatform, accounts, clients }: Pick<Services, 'livePlatform' | 'accounts' | 'clients'>,
): void => {
  /** The account's realm. Throws if the actor may not access it. */
  const realmOf = async (actor: Actor, account_sid: string): Promise<string> => {
    await authorizeLiveCallAccess(actor, 'read', account_sid, (sid) => accounts.providerOf(sid))
    const account = await accounts.find(fullReach, account_sid)
    if (!account) throw accountNotFound(account_sid)
    if (!account.sip_realm) throw badRequest('account does not have sip_realm configuration')
    return account.sip_realm
  }

  const readRegistrations = async (
    account_sid: string,
    realm: string,
    usernames: string[],
  ): Promise<RegisteredUser[]> => {
    const registrations = await livePlatform.findRegistrations(realm, usernames)
    const permissions = await clients.callPermissionsOf(account_sid, usernames)
    return usernames.map((name, index) => presentRegistration(name, registrations[index], permissions.get(name)))
  }

  const listRegisteredUsernames = async (realm: string) =>
    (await livePlatform.listRegisteredUsers(realm)).map((address) => address.slice(0, address.lastIndexOf('@')))

  mountRoute(
    app,
    registeredUsers.list,
    { response: z.array(z.string()), requiresWellFormedSids: false },
    async ({ actor, params }) => livePlatform.listRegisteredUsers(await realmOf(actor, params.account_sid)),
  )
  mountRoute(
    app,
    registeredUsers.readMany,
    { body: usernamesSchema, response: z.array(registeredUserSchema), requiresWellFormedSids: false },
    async ({ actor, params: { account_sid }, body }) => {
      const realm = await realmOf(actor, account_sid)
      return readRegistrations(account_sid, realm, body.length > 0 ? body : await listRegisteredUsernames(realm))
    },
  )
  mountRoute(
    app,
    registeredUsers.read,
    { response: registeredUserSchema, requiresWellFormedSids: false },
    async ({ actor, params }) => {
      const realm = await realmOf(actor, params.account_sid)
      const [user] = await readRegistrations(params.account_sid, realm, [params.user])
      return user!
    },
  )
}
