import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { listQuery, listResponse } from '@trunkline/contract/kit/fields'
import { messages } from '@trunkline/contract/messages/user'
import { getScope, type Actor, type Owner } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import { user } from '@trunkline/contract/resources/user'
import * as shapes from '@trunkline/contract/shapes/user'
import { containsText, type ListOptions, type WithOwner } from '../../db/repository'
import type { Connection, Row } from '../../db/repository-options'
import { ownerChains, reachCondition } from '../../db/tenancy'
import { withTransaction } from '../../db/transaction'
import { mountRoute } from '../../http/mount-route'
import { badRequest, forbidden, notFound, unprocessable } from '../../http/problem'
import { logSecurityEvent } from '../../http/security-log'
import { findPermitted, listRecords } from '../../http/resource-routes'
import { hashPassword } from '../../secrets/password'
import type { Services } from '../../services'
import { unknownReference } from '../../shared/refusals'
import { accountOf, ownerInAccount } from '../accounts/public'
import { userUpdateRules } from './rules'
import { currentUserRoute } from './current-user'
import { userNotifications } from './notifications'
import type { StoredUser } from './repository'
import { isViewOnly } from './public'

const isAdmin = sql`(t.account_sid is null and t.service_provider_sid is null)`

const scopes: Record<string, typeof isAdmin> = {
  admin: isAdmin,
  service_provider: sql`(t.account_sid is null and t.service_provider_sid is not null)`,
  account: sql`t.account_sid is not null`,
}

/** A provider's list contains its users, those of its accounts, and all administrators. */
const listOptions = ({
  name,
  filter,
  account_sid,
  service_provider_sid,
  scope,
}: z.output<typeof listQuery>): ListOptions => {
  const text = name || filter
  return {
    where: [
      ...(text ? [sql`(${containsText(sql`t.name`, text)} or ${containsText(sql`t.email`, text)})`] : []),
      ...(account_sid ? [sql`t.account_sid = ${account_sid}`] : []),
      ...(service_provider_sid
        ? [sql`(${reachCondition({ service_provider_sid }, ownerChains.user)} or ${isAdmin})`]
        : []),
      ...(typeof scope === 'string' && scope ? [scopes[scope] ?? sql`1 = 0`] : []),
    ],
  }
}

/** A row of the list. Null values are left out. */
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

/** The reason for the security log. */
const roleChangeReason = (viewOnly: boolean | undefined, { is_active }: Row): string => {
  if (viewOnly !== undefined) return viewOnly ? 'made view-only' : 'made read-write'
  return is_active === undefined || is_active ? 'moved to another tenant' : 'deactivated'
}

/** Fields that must be unique. */
type UniqueFields = Partial<Pick<StoredUser, 'name' | 'email'>>

const isSameUser = ({ user_sid }: Actor, sid: string) => user_sid !== undefined && user_sid === sid

export const userRoutes = (app: FastifyInstance, services: Services, { publicUrl }: { publicUrl: string }): void => {
  const { store, users, accounts, providers, sessions, lockout, emailChanges, passwordRule, passwordCost } = services
  const { db } = store.database
  const source = { kind: 'user', rows: users, missing: { read: notFound } } as const
  const resolveUpdate = userUpdateRules(services)
  const notifications = userNotifications(services, publicUrl)

  currentUserRoute(app, services)

  mountRoute(app, user.list, { query: listQuery, response: listResponse(shapes.row) }, async ({ query, actor }) => {
    const records = await listRecords(users, 'user', query, actor, listOptions)
    return Array.isArray(records) ? records.map(presentUser) : { ...records, data: records.data.map(presentUser) }
  })

  mountRoute(app, user.read, { response: shapes.record }, async ({ params, actor }) => {
    const row = await findPermitted(source, 'read', actor, params.user_sid)
    const is_view_only = isViewOnly(await users.permissionsOf(params.user_sid))
    const pending_email = (await emailChanges.findPendingEmail(row)) ?? row.pending_email
    return { ...row, pending_email, is_view_only } as unknown as shapes.UserRecord
  })

  /** The owner of a new user. For users of a provider or account it is their own tenant, whatever the body contains. */
  const ownerOf = async (draft: shapes.UserDraft, actor: Actor): Promise<Owner> => {
    const account_sid = accountOf(actor, draft.account_sid)
    if (account_sid) {
      const owner = await ownerInAccount(accounts, account_sid)
      if (!can(actor, 'create', 'user', owner)) throw unknownReference('account_sid')
      return owner
    }
    if (actor.scope !== 'admin') return { service_provider_sid: actor.service_provider_sid, account_sid: null }
    const service_provider_sid = draft.service_provider_sid ?? null
    if (service_provider_sid && !(await providers.find({ all: true }, service_provider_sid)))
      throw unknownReference('service_provider_sid')
    return { service_provider_sid, account_sid: null }
  }

  /** Throws 422 if a changed name or address is a duplicate. Call it after `lockUsers`. */
  const checkUnique = async (values: UniqueFields, tx: Connection, current?: StoredUser): Promise<void> => {
    for (const field of ['name', 'email'] as const) {
      const value = values[field]
      if (value === undefined || value === current?.[field]) continue
      if (await users.isDuplicate(field, value, current?.user_sid, tx))
        throw unprocessable(messages.duplicateRefusal, field)
    }
  }

  const createShapes = {
    body: shapes.create.extend({ user_sid: z.unknown().optional() }),
    response: shapes.createdUser,
  }
  mountRoute(app, user.create, createShapes, async ({ body, actor, request }) => {
    const { initial_password, is_view_only, user_sid: _, ...draft } = body
    const owner = await ownerOf(draft as shapes.UserDraft, actor)
    await passwordRule.check(initial_password, 'initial_password')
    const hashed_password = await hashPassword(initial_password, passwordCost)
    const user_sid = randomUUID()
    await withTransaction(db, async (tx) => {
      const { force_change = 0, is_active = 1 } = draft
      const flags = { force_change: Number(force_change), is_active: Number(is_active) }
      await users.lockUsers(tx)
      await checkUnique(draft, tx)
      await users.insert({ ...draft, ...owner, ...flags, user_sid, hashed_password, provider: 'local' }, tx)
      if (is_view_only) await users.setViewOnly(user_sid, true, tx)
    })
    logSecurityEvent(request, 'user_created', { target_sid: user_sid })
    return { user_sid }
  })

  /** The user to update. Only administrators learn whether a user of another tenant exists. */
  const findChangeable = async (actor: Actor, user_sid: string): Promise<WithOwner<StoredUser>> => {
    const current = await users.find({ all: true }, user_sid)
    if (!current && actor.scope === 'admin') throw badRequest('Invalid request: user_sid does not exist')
    if (!current || (!isSameUser(actor, user_sid) && !can(actor, 'update', 'user', current.owner))) throw forbidden()
    return current
  }

  /**
   * Whether this is the last active administrator. Call it after `lockUsers`, so that two administrators cannot remove
   * each other in parallel.
   */
  const isLastAdmin = async (user_sid: string, tx: Connection) => {
    const user = await users.find({ all: true }, user_sid, tx)
    return user?.is_active === 1 && getScope(user.owner) === 'admin' && !(await users.hasOtherAdmin(user_sid, tx))
  }

  mountRoute(app, user.update, { body: shapes.update }, async ({ params, body, actor, request }) => {
    const current = await findChangeable(actor, params.user_sid)
    const isOwnUser = isSameUser(actor, current.user_sid)
    const { columns, viewOnly, isNewPassword, endsSessions, losesAdmin } = await resolveUpdate({
      current,
      body,
      actor,
      isOwnUser,
      ip: request.ip,
    })
    const mails = await withTransaction(db, async (tx) => {
      if (losesAdmin || columns.name !== undefined || columns.email !== undefined) await users.lockUsers(tx)
      await checkUnique(body, tx, current)
      if (losesAdmin && (await isLastAdmin(current.user_sid, tx))) throw badRequest(messages.lastAdmin)
      const mails = await notifications.prepare(tx, {
        current,
        email: body.email,
        isOwnUser,
        isNewPassword,
      })
      await users.update(current.user_sid, columns, tx)
      if (viewOnly !== undefined) await users.setViewOnly(current.user_sid, viewOnly, tx)
      if (isNewPassword) await lockout.reset(current.user_sid, tx)
      if (endsSessions) await sessions.closeAll(current.user_sid, tx)
      // A new password ends all other sessions. The session that made the change continues, as clients expect.
      else if (isNewPassword)
        await sessions.closeAllExcept(current.user_sid, isOwnUser ? actor.session_sid : undefined, tx)
      return mails
    })
    notifications.send(mails, request.log)
    const target = { target_sid: current.user_sid }
    if (isNewPassword) logSecurityEvent(request, 'password_changed', target)
    if (endsSessions)
      logSecurityEvent(request, 'role_changed', { ...target, reason: roleChangeReason(viewOnly, columns) })
  })

  mountRoute(app, user.remove, {}, async ({ params, actor, request }) => {
    const removable = await findPermitted(source, 'remove', actor, params.user_sid)
    await withTransaction(db, async (tx) => {
      await users.lockUsers(tx)
      // Existing clients expect this message.
      if (await isLastAdmin(removable.user_sid, tx)) throw badRequest('Bad request')
      await sessions.closeAll(removable.user_sid, tx)
      await lockout.reset(removable.user_sid, tx)
      await emailChanges.discard(removable.user_sid, tx)
      await users.remove(removable.user_sid, tx)
    })
    logSecurityEvent(request, 'user_deleted', {
      target_sid: removable.user_sid,
      target_account_sid: removable.owner.account_sid,
      target_service_provider_sid: removable.owner.service_provider_sid,
    })
  })
}
