import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import { me, ownPassword } from '@trunkline/contract/resources/session'
import { me as meShape, ownPassword as ownPasswordShape, type OwnPassword } from '@trunkline/contract/shapes/session'
import type { Actor } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import type { Row } from '../../db/table'
import { wireTime } from '../../db/time'
import { bind } from '../../http/bind'
import { badRequest, forbidden } from '../../http/problem'
import { hashPassword, verifyPassword } from '../../secrets/password'
import type { Services } from '../../services'
import type { StoredUser } from './repository'

/** Columns of a user that never leave the server. */
const hidden = new Set(['hashed_password', 'email_activation_code', 'phone_activation_code', 'owner'])
/** Flags of a user that this call shows as booleans. */
const booleans = new Set(['email_validated', 'phone_validated', 'force_change'])
const moments = /_at$|_date$/

const shown = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => !hidden.has(name))
      .map(([name, value]) => {
        if (booleans.has(name)) return [name, value === 1]
        return [name, moments.test(name) && typeof value === 'string' && !value.includes('T') ? wireTime(value) : value]
      }),
  )

export const userRoutes = (
  app: FastifyInstance,
  { store, users, accounts, sessions, passwordRule, passwordCost }: Services,
): void => {
  const { db } = store.database

  /** A joined row, or one whose every key is null: readers test a key, not the object. */
  const joined = async (name: 'accounts' | 'service_providers', key: string, sid: string | null): Promise<Row> => {
    const { rows } =
      await sql<Row>`select j.* from (select 1 as one) x left join ${sql.table(name)} j on j.${sql.ref(key)} = ${sid}`.execute(
        db,
      )
    return rows[0] ?? {}
  }

  bind(app, me, { answer: meShape }, async ({ actor }) => {
    const user = actor.user_sid ? await users.find({ all: true }, actor.user_sid) : undefined
    if (!user) throw forbidden()
    const provider = actor.scope === 'admin' ? null : actor.service_provider_sid
    const [account, sp] = await Promise.all([
      joined('accounts', 'account_sid', user.account_sid),
      joined('service_providers', 'service_provider_sid', provider),
    ])
    // The row is as the database has it, but for the encrypted credential of the bucket: that is shown as everywhere.
    const bucket_credential = user.account_sid
      ? ((await accounts.find({ all: true }, user.account_sid))?.bucket_credential ?? null)
      : null
    return { user: shown(user), account: { ...shown(account), bucket_credential }, sp } as never
  })

  const isOwn = ({ user_sid }: Actor, sid: string) => user_sid !== undefined && user_sid === sid

  /** The user to change. Whether one of another tenant exists is nobody's business but an administrator's. */
  const changeable = async (actor: Actor, user_sid: string): Promise<StoredUser> => {
    const user = await users.find({ all: true }, user_sid)
    if (!user && actor.scope === 'admin') throw badRequest('Invalid request: user_sid does not exist')
    if (!user || (!isOwn(actor, user_sid) && !can(actor, 'update', 'user', user.owner))) throw forbidden()
    return user
  }

  const bothPasswords = ({ old_password, new_password }: OwnPassword) => {
    if (!old_password && !new_password) throw badRequest('no updates requested')
    if (!old_password || !new_password)
      throw badRequest('new_password and old_password both required', old_password ? 'new_password' : 'old_password')
    return { old_password, new_password }
  }

  bind(app, ownPassword, { body: ownPasswordShape }, async ({ params, body, actor }) => {
    const user = await changeable(actor, params.user_sid)
    const { old_password, new_password } = bothPasswords(body)
    if (user.provider !== 'local') throw badRequest('can not change password when using oauth2')
    if (!(await verifyPassword(user.hashed_password, old_password, passwordCost))) throw forbidden()
    await passwordRule.check(new_password, 'new_password')
    if (new_password === old_password) throw badRequest('new password cannot be your old password', 'new_password')
    const hashed_password = await hashPassword(new_password, passwordCost)
    await db.transaction().execute(async (tx) => {
      await users.change(user.user_sid, { hashed_password, force_change: 0 }, tx)
    })
    // Whoever knew the old password is out; the session that made the change goes on, as clients expect of this call.
    await sessions.closeOthers(user.user_sid, isOwn(actor, user.user_sid) ? actor.session_sid : undefined)
  })
}
