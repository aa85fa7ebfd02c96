import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { FeatureFlags } from '@trunkline/contract/feature-flags'
import { listQuerySchema, listResponseSchema } from '@trunkline/contract/kit/fields'
import { messages } from '@trunkline/contract/messages/user'
import { getScope, type Actor, type Owner } from '@trunkline/contract/policy/actor'
import { can, fullReach } from '@trunkline/contract/policy/can'
import { user } from '@trunkline/contract/resources/user'
import * as shapes from '@trunkline/contract/shapes/user'
import { containsText, type ListOptions, type WithOwner } from '../../db/repository'
import type { Row } from '../../db/repository-options'
import { ownershipByKind, buildReachCondition } from '../../db/tenancy'
import { withTransaction } from '../../db/transaction'
import { mountRoute } from '../../http/mount-route'
import { badRequest, forbidden, notFound } from '../../http/problem'
import { logSecurityEvent } from '../../http/security-log'
import { findPermitted, listRecords } from '../../http/resource-routes'
import { hashPassword } from '../../secrets/password'
import type { Services } from '../../composition/services'
import { unknownReference } from '../../shared/refusals'
import { resolveAccountSid, findOwnerForAccount } from '../accounts/public'
import { createUserUpdateResolver } from './rules'
import { currentUserRoute, type CurrentUserServices } from './current-user'
import { createUserNotifications } from './notifications'
import { createProbeLimit } from './probe-limit'
import type { StoredUser } from './repository'
import { isViewOnly } from './public'
import { createUserInvariants } from './user-invariants'

const isAdmin = sql`(t.account_sid is null and t.service_provider_sid is null)`

const scopeConditions = new Map(
  Object.entries({
    admin: isAdmin,
    service_provider: sql`(t.account_sid is null and t.service_provider_sid is not null)`,
    account: sql`t.account_sid is not null`,
  }),
)

/** A provider's list contains its users, those of its accounts, and all administrators. */
const getListOptions = ({
  name,
  filter,
  account_sid,
  service_provider_sid,
  scope,
}: z.output<typeof listQuerySchema>): ListOptions => {
  const text = name || filter
  return {
    text: text ? sql`(${containsText(sql`t.name`, text)} or ${containsText(sql`t.email`, text)})` : undefined,
    where: [
      ...(account_sid ? [sql`t.account_sid = ${account_sid}`] : []),
      ...(service_provider_sid
        ? [sql`(${buildReachCondition({ service_provider_sid }, ownershipByKind.user)} or ${isAdmin})`]
        : []),
      ...(typeof scope === 'string' && scope ? [scopeConditions.get(scope) ?? sql`1 = 0`] : []),
    ],
  }
}

/** A row of the list. Names and SIDs of a missing tenant are left out. */
const presentUser = ({ owner, account_name, service_provider_name, ...row }: WithOwner<StoredUser>): shapes.User => ({
  user_sid: row.user_sid,
  name: row.name,
  email: row.email,
  scope: getScope(owner),
  force_change: row.force_change,
  is_active: row.is_active,
  ...(owner.account_sid ? { account_sid: owner.account_sid, account_name } : {}),
  ...(owner.service_provider_sid ? { service_provider_sid: owner.service_provider_sid, service_provider_name } : {}),
})

const userSource = (users: Services['users']) =>
  ({ kind: 'user', repository: users, missing: { read: notFound } }) as const

type ReadServices = Pick<Services, 'users' | 'emailChanges'>
type CreateServices = Pick<
  Services,
  'store' | 'users' | 'accounts' | 'providers' | 'passwordRule' | 'passwordCost' | 'attemptCounts' | 'hostedEdition'
>
type UpdateServices = CreateServices & Pick<Services, 'sessions' | 'lockout' | 'emailChanges' | 'outbox'>
type RemoveServices = Pick<Services, 'store' | 'users' | 'sessions' | 'lockout' | 'emailChanges'>

interface UserOptions {
  publicUrl: string
  features: Pick<FeatureFlags, 'forgotPassword'>
}

export const userRoutes = (
  app: FastifyInstance,
  services: UpdateServices & CurrentUserServices,
  options: UserOptions,
): void => {
  currentUserRoute(app, services)
  readUserRoutes(app, services)
  createUserRoute(app, services)
  updateUserRoute(app, services, options)
  removeUserRoute(app, services)
}

const readUserRoutes = (app: FastifyInstance, { users, emailChanges }: ReadServices): void => {
  mountRoute(
    app,
    user.list,
    { query: listQuerySchema, response: listResponseSchema(shapes.userSchema) },
    async ({ query, actor }) => {
      const records = await listRecords(users, 'user', query, actor, getListOptions)
      return Array.isArray(records) ? records.map(presentUser) : { ...records, data: records.data.map(presentUser) }
    },
  )

  mountRoute(app, user.read, { response: shapes.userRecordSchema }, async ({ params, actor }) => {
    const row = await findPermitted(userSource(users), 'read', actor, params.user_sid)
    const is_view_only = isViewOnly(await users.permissionsOf(params.user_sid))
    const pending_email = (await emailChanges.findPendingEmail(row)) ?? row.pending_email
    return { ...row, pending_email, is_view_only } as unknown as shapes.UserRecord
  })
}

const createUserRoute = (app: FastifyInstance, services: CreateServices): void => {
  const { store, users, accounts, providers, passwordRule, passwordCost } = services
  const checkProbeLimit = createProbeLimit(services)
  const invariants = createUserInvariants(users)

  /** The owner of a new user. A user of a provider or account always adds users to the same tenant. */
  const ownerOf = async (draft: shapes.UserDraft, actor: Actor): Promise<Owner> => {
    const account_sid = resolveAccountSid(actor, draft.account_sid)
    if (account_sid) {
      const owner = await findOwnerForAccount(accounts, account_sid)
      if (!can(actor, 'create', 'user', owner)) throw unknownReference('account_sid')
      return owner
    }
    if (actor.scope !== 'admin') return { service_provider_sid: actor.service_provider_sid, account_sid: null }
    const service_provider_sid = draft.service_provider_sid ?? null
    if (service_provider_sid && !(await providers.find(fullReach, service_provider_sid)))
      throw unknownReference('service_provider_sid')
    return { service_provider_sid, account_sid: null }
  }

  const schemas = {
    body: shapes.userDraftSchema.extend({ user_sid: z.unknown().optional() }),
    response: shapes.createdUserSchema,
  }
  mountRoute(app, user.create, schemas, async ({ body, actor, request }) => {
    const { initial_password, is_view_only, user_sid: _, ...draft } = body
    const owner = await ownerOf(draft as shapes.UserDraft, actor)
    await passwordRule.check(initial_password, 'initial_password')
    await checkProbeLimit(actor, request)
    const hashed_password = await hashPassword(initial_password, passwordCost)
    const user_sid = randomUUID()
    await withTransaction(store.database.db, async (tx) => {
      const { force_change = 0, is_active = 1 } = draft
      const flags = { force_change: Number(force_change), is_active: Number(is_active) }
      await users.lockUsers(tx)
      await invariants.checkUnique(draft, tx)
      await users.insert({ ...draft, ...owner, ...flags, user_sid, hashed_password, provider: 'local' }, tx)
      if (is_view_only) await users.setViewOnly(user_sid, true, tx)
    })
    logSecurityEvent(request, 'user_created', { target_sid: user_sid })
    return { user_sid }
  })
}

/** The reason for a role change in the security log. */
const describeRoleChange = (viewOnly: boolean | undefined, { is_active }: Row): string => {
  if (viewOnly !== undefined) return viewOnly ? 'made view-only' : 'made read-write'
  return is_active === undefined || is_active ? 'moved to another tenant' : 'deactivated'
}

const isSameUser = ({ user_sid }: Actor, sid: string) => user_sid !== undefined && user_sid === sid

const updateUserRoute = (
  app: FastifyInstance,
  services: UpdateServices,
  { publicUrl, features }: UserOptions,
): void => {
  const { store, users, sessions, lockout } = services
  const invariants = createUserInvariants(users)
  const resolveUpdate = createUserUpdateResolver(services)
  const notifications = createUserNotifications(services, {
    publicUrl,
    canResetPassword: features.forgotPassword,
  })
  const checkProbeLimit = createProbeLimit(services)

  /** The user to update. Only administrators learn whether a user of another tenant exists. */
  const findUpdatableUser = async (actor: Actor, user_sid: string): Promise<WithOwner<StoredUser>> => {
    const current = await users.find(fullReach, user_sid)
    if (!current && actor.scope === 'admin') throw badRequest('Invalid request: user_sid does not exist')
    if (!current || (!isSameUser(actor, user_sid) && !can(actor, 'update', 'user', current.owner))) throw forbidden()
    return current
  }

  mountRoute(app, user.update, { body: shapes.userChangesSchema }, async ({ params, body, actor, request }) => {
    const current = await findUpdatableUser(actor, params.user_sid)
    const isOwnUser = isSameUser(actor, current.user_sid)
    const { columns, viewOnly, isNewPassword, endsSessions, losesAdminRole } = await resolveUpdate({
      current,
      body,
      actor,
      isOwnUser,
      clientIp: request.ip,
    })
    const isRenamed = (['name', 'email'] as const).some((field) => (body[field] ?? current[field]) !== current[field])
    if (isRenamed) await checkProbeLimit(actor, request)
    const mails = await withTransaction(store.database.db, async (tx) => {
      if (losesAdminRole || columns.name !== undefined || columns.email !== undefined) await users.lockUsers(tx)
      await invariants.checkUnique(body, tx, current)
      if (losesAdminRole && (await invariants.isLastAdmin(current.user_sid, tx))) throw badRequest(messages.lastAdmin)
      const preparedMails = await notifications.prepare(tx, { current, email: body.email, isOwnUser, isNewPassword })
      await users.update(current.user_sid, columns, tx)
      if (viewOnly !== undefined) await users.setViewOnly(current.user_sid, viewOnly, tx)
      if (isNewPassword) await lockout.reset(current.user_sid, tx)
      if (endsSessions) await sessions.closeAll(current.user_sid, tx)
      // A new password ends all sessions. If users change their own, the session of the request continues, as clients expect.
      else if (isNewPassword)
        await sessions.closeAllExcept(current.user_sid, isOwnUser ? actor.session_sid : undefined, tx)
      return preparedMails
    })
    notifications.send(mails, request.log)
    const target = { target_sid: current.user_sid }
    if (isNewPassword) logSecurityEvent(request, 'password_changed', target)
    if (endsSessions)
      logSecurityEvent(request, 'role_changed', { ...target, reason: describeRoleChange(viewOnly, columns) })
  })
}

const removeUserRoute = (
  app: FastifyInstance,
  { store, users, sessions, lockout, emailChanges }: RemoveServices,
): void => {
  const invariants = createUserInvariants(users)

  mountRoute(app, user.remove, {}, async ({ params, actor, request }) => {
    const { user_sid, owner } = await findPermitted(userSource(users), 'remove', actor, params.user_sid)
    await withTransaction(store.database.db, async (tx) => {
      await users.lockUsers(tx)
      // Existing clients expect this message.
      if (await invariants.isLastAdmin(user_sid, tx)) throw badRequest('Bad request')
      await sessions.closeAll(user_sid, tx)
      await lockout.reset(user_sid, tx)
      await emailChanges.discard(user_sid, tx)
      await users.remove(user_sid, tx)
    })
    logSecurityEvent(request, 'user_deleted', {
      target_sid: user_sid,
      target_account_sid: owner.account_sid,
      target_service_provider_sid: owner.service_provider_sid,
    })
  })
}
