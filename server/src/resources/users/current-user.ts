import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import { fullReach } from '@trunkline/contract/policy/can'
import { currentUser } from '@trunkline/contract/resources/session'
import { currentUserSchema } from '@trunkline/contract/shapes/session'
import type { Row } from '../../db/repository-options'
import { toWireTime } from '../../db/time'
import { mountRoute } from '../../http/mount-route'
import { forbidden } from '../../http/problem'
import type { Services } from '../../composition/services'
import { createHostedCurrentUser } from './hosted-current-user'

/** Columns that are secret, or that other parts of the response contain. */
const hiddenColumns = new Set([
  'hashed_password',
  'email_activation_code',
  'phone_activation_code',
  'owner',
  'account_name',
  'service_provider_name',
])
/** Flags that this route returns as booleans. */
const booleanColumns = new Set(['email_validated', 'phone_validated', 'force_change'])
const timestampColumnPattern = /_at$|_date$/

const presentRow = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => !hiddenColumns.has(name))
      .map(([name, value]) => {
        if (booleanColumns.has(name)) return [name, value === 1]
        const isColumnTime = timestampColumnPattern.test(name) && typeof value === 'string' && !value.includes('T')
        return [name, isColumnTime ? toWireTime(value) : value]
      }),
  )

export type CurrentUserServices = Pick<
  Services,
  'store' | 'users' | 'accounts' | 'emailChanges' | 'apiKeys' | 'encryption' | 'hostedEdition'
>

/** The signed-in user with account and provider. The hosted edition has another form for users of an account. */
export const currentUserRoute = (app: FastifyInstance, services: CurrentUserServices): void => {
  const { store, users, accounts, emailChanges, hostedEdition } = services
  const presentHostedUser = createHostedCurrentUser(services)
  const { db } = store.database

  /** The row of an account or provider. Without one, every column is null, because clients check a column, not the object. */
  const readTenantRow = async (
    table: 'accounts' | 'service_providers',
    key: string,
    sid: string | null,
  ): Promise<Row> => {
    const { rows } =
      await sql<Row>`select t.* from (select 1 as one) r left join ${sql.table(table)} t on t.${sql.ref(key)} = ${sid}`.execute(
        db,
      )
    return rows[0] ?? {}
  }

  mountRoute(app, currentUser, { response: currentUserSchema }, async ({ actor }) => {
    const user = actor.user_sid ? await users.find(fullReach, actor.user_sid) : undefined
    if (!user) throw forbidden()
    const providerSid = actor.scope === 'admin' ? null : actor.service_provider_sid
    const [accountRow, providerRow] = await Promise.all([
      readTenantRow('accounts', 'account_sid', user.account_sid),
      readTenantRow('service_providers', 'service_provider_sid', providerSid),
    ])
    // The stored row is returned, except for the bucket credential, which is decrypted and masked.
    const bucket_credential = user.account_sid
      ? ((await accounts.find(fullReach, user.account_sid))?.bucket_credential ?? null)
      : null
    const pending_email = (await emailChanges.findPendingEmail(user)) ?? user.pending_email
    const response = {
      user: presentRow({ ...user, pending_email }),
      account: { ...presentRow(accountRow), bucket_credential },
      sp: providerRow,
    }
    return (hostedEdition && actor.scope === 'account' ? await presentHostedUser(actor, response) : response) as never
  })
}
