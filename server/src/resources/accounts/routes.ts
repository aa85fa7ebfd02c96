import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { listQuery, listResponse } from '@trunkline/contract/kit/fields'
import type { Actor } from '@trunkline/contract/policy/actor'
import { account, accountsOfProvider, webhookSecret as secretRoute } from '@trunkline/contract/resources/account'
import { create, row, update } from '@trunkline/contract/shapes/account'
import { containsText, type ListOptions, type WithOwner } from '../../db/repository'
import type { Connection, Row } from '../../db/repository-options'
import { toColumnTime } from '../../db/time'
import { withTransaction } from '../../db/transaction'
import { mountRoute } from '../../http/mount-route'
import { notFoundWithoutBody, badRequest, forbidden } from '../../http/problem'
import { accountNotFound, duplicate, immutableField, missingField, unknownReference } from '../../shared/refusals'
import { findPermitted, listRecords, resourceRoutes } from '../../http/resource-routes'
import { withoutUnreadable } from '../../http/unreadable-values'
import { webhookSecret } from '../../secrets/ids'
import { verifyPassword } from '../../secrets/password'
import type { Services } from '../../services'
import type { HookDraft } from '../webhooks/public'
import { bucketTestRoute } from './bucket-test'
import { accountHookFields, endAccountSessions, deleteAccountContents, type StoredAccount } from './repository'
import { checkContractFields, checkHooks } from './rules'

/** Used by the list of all accounts and by the list of one provider's accounts. */
const listOptions = ({
  name,
  service_provider_sid,
  is_active,
  plan_type,
}: z.output<typeof listQuery>): ListOptions => ({
  where: [
    ...(name ? [containsText(sql`t.name`, name)] : []),
    ...(is_active === '0' || is_active === '1' ? [sql`t.is_active = ${Number(is_active)}`] : []),
    ...(typeof plan_type === 'string' && plan_type ? [sql`t.plan_type = ${plan_type}`] : []),
    ...(service_provider_sid ? [sql`t.service_provider_sid = ${service_provider_sid}`] : []),
  ],
})

export const accountRoutes = (app: FastifyInstance, services: Services): void => {
  const { store, accounts, webhooks, users, providers, bucketCredentials } = services
  const { db } = store.database

  /** Locks the provider in the transaction that writes the name, so that only one of two parallel requests gets it. */
  const checkName = async (name: unknown, service_provider_sid: string, tx: Connection, current?: StoredAccount) => {
    if (typeof name !== 'string' || name === current?.name) return
    await providers.lockRow(service_provider_sid, tx)
    if (await accounts.isDuplicateName(name, service_provider_sid, current?.account_sid, tx))
      throw duplicate(name, 'name')
  }

  const checkRealm = async (realm: unknown, exceptSid?: string) => {
    if (typeof realm === 'string' && (await accounts.isDuplicateRealm(realm, exceptSid)))
      throw duplicate(realm, 'sip_realm')
  }

  /** Checks that referenced applications belong to the account. Those of other accounts are reported as unknown. */
  const checkApplications = async (values: Row, account_sid: string, current: Row = {}) => {
    for (const field of ['device_calling_application_sid', 'siprec_hook_sid']) {
      const sid = values[field]
      if (typeof sid !== 'string' || sid === current[field]) continue
      const referencedApplication = await services.applications.find({ all: true }, sid)
      if (referencedApplication?.account_sid !== account_sid) throw unknownReference(field)
    }
  }

  const toColumns = ({ created_at: _, trial_end_date, ...values }: Row): Row => ({
    ...values,
    ...(trial_end_date === undefined
      ? {}
      : { trial_end_date: trial_end_date === null ? null : toColumnTime(new Date(trial_end_date as string)) }),
  })

  const saveHooks = async (values: Row, current: Partial<StoredAccount>, actor: Actor, connection: typeof db) => {
    for (const name of accountHookFields) {
      if (!(name in values)) continue
      const draft = values[name] as HookDraft | null | undefined
      delete values[name]
      values[`${name}_sid`] = await webhooks.save(draft?.url ? draft : null, current[`${name}_sid`] ?? null, {
        actor,
        connection,
        field: name,
      })
    }
  }

  const change = async (current: WithOwner<StoredAccount>, input: Row, actor: Actor) => {
    const { account_sid } = current
    const changes = withoutUnreadable(input, current)
    checkContractFields(changes, current, actor)
    checkHooks(changes, current)
    const values = toColumns(changes)
    if (values.service_provider_sid !== undefined) throw immutableField('service_provider_sid')
    if (actor.scope === 'account' && values.sip_realm && values.sip_realm !== current.sip_realm)
      throw badRequest('use POST /Accounts/:sid/sip_realm/:realm to set or change the sip realm', 'sip_realm')
    await checkRealm(values.sip_realm, account_sid)
    await checkApplications(values, account_sid, current)
    if ('bucket_credential' in values)
      values.bucket_credential = await bucketCredentials.encrypt(
        account_sid,
        values.bucket_credential as Row | null,
        actor,
      )
    await withTransaction(db, async (tx) => {
      const columns = { ...values }
      await checkName(values.name, current.service_provider_sid, tx, current)
      await saveHooks(columns, current, actor, tx)
      await accounts.update(account_sid, columns, tx)
      if (current.is_active && values.is_active !== undefined && !values.is_active)
        await endAccountSessions(account_sid, tx)
      await webhooks.removeUnlinked([current.registration_hook_sid, current.queue_event_hook_sid], tx)
    })
  }

  /** Users of the account with a local password must enter it before the account is deleted. */
  const checkPassword = async (actor: Actor, body: unknown) => {
    if (actor.scope !== 'account' || !actor.user_sid) return
    const user = await users.find({ all: true }, actor.user_sid)
    if (user?.provider !== 'local') return
    const password = (body as { password?: unknown } | undefined)?.password
    if (typeof password !== 'string' || password === '') throw badRequest('password is required', 'password')
    if (!(await verifyPassword(user.hashed_password, password))) throw forbidden('password is incorrect')
  }

  resourceRoutes(app, account, accounts, {
    rowSchema: row,
    createBody: create,
    updateBody: update,
    missing: {
      read: notFoundWithoutBody,
      update: (sid, { scope }) => (scope === 'admin' ? accountNotFound(sid) : notFoundWithoutBody()),
    },
    listOptions: listOptions,
    ownerOf: async (draft, actor) => {
      const service_provider_sid = draft.service_provider_sid as string | undefined
      if (actor.scope !== 'admin') return { service_provider_sid: actor.service_provider_sid, account_sid: null }
      if (!service_provider_sid) throw missingField('service_provider_sid')
      if (!(await providers.find({ all: true }, service_provider_sid)))
        throw badRequest(`service_provider not found for sid ${service_provider_sid}`, 'service_provider_sid')
      return { service_provider_sid, account_sid: null }
    },
    insertRow: async (draft, account_sid, actor) => {
      const service_provider_sid =
        actor.scope === 'admin' ? (draft.service_provider_sid as string) : actor.service_provider_sid
      checkHooks(draft)
      await checkRealm(draft.sip_realm)
      await checkApplications(draft, account_sid)
      const values: Row = { ...toColumns(draft), account_sid, service_provider_sid, webhook_secret: webhookSecret() }
      if ('bucket_credential' in values)
        values.bucket_credential = await bucketCredentials.encrypt(
          account_sid,
          values.bucket_credential as Row | null,
          actor,
        )
      await withTransaction(db, async (tx) => {
        await checkName(draft.name, service_provider_sid, tx)
        const columns = { ...values }
        await saveHooks(columns, {}, actor, tx)
        await accounts.insert(columns, tx)
      })
    },
    updateRow: change,
    removalEvent: 'account_deleted',
    remove: async ({ account_sid, registration_hook_sid, queue_event_hook_sid }, actor, body) => {
      await checkPassword(actor, body)
      await withTransaction(db, async (tx) => {
        const hooks = await services.applications.hookSidsOf(account_sid, tx)
        await deleteAccountContents(account_sid, tx)
        await accounts.remove(account_sid, tx)
        await webhooks.removeUnlinked([registration_hook_sid, queue_event_hook_sid, ...hooks], tx)
      })
      for (const name of ['accounts', 'phone_numbers', 'applications', 'voip_carriers', 'users'])
        store.listCounts.invalidate(name)
      await services.recordingStore.removeAccount(account_sid)
    },
  })

  mountRoute(
    app,
    accountsOfProvider,
    { query: listQuery, response: listResponse(row) },
    async ({ params, query, actor }) => {
      await findPermitted({ kind: 'service_provider', rows: providers }, 'read', actor, params.service_provider_sid)
      return listRecords(accounts, 'account', { ...query, ...params }, actor, listOptions)
    },
  )

  bucketTestRoute(app, services)

  const webhookSecretShape = z.object({ webhook_secret: z.string() })
  mountRoute(
    app,
    secretRoute,
    { query: z.looseObject({ regenerate: z.string().optional() }), response: webhookSecretShape },
    async (context) => {
      const { account_sid } = context.params
      const action = context.query.regenerate ? 'update' : 'read'
      const storedAccount = await findPermitted({ kind: 'account', rows: accounts }, action, context.actor, account_sid)
      if (!context.query.regenerate) return { webhook_secret: storedAccount.webhook_secret }
      const secret = webhookSecret()
      await accounts.update(account_sid, { webhook_secret: secret })
      return { webhook_secret: secret }
    },
  )
}
