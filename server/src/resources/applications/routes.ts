import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { listQuery, listResponse } from '@trunkline/contract/kit/fields'
import type { Actor } from '@trunkline/contract/policy/actor'
import { application, applicationsOfAccount, applicationsOfProvider } from '@trunkline/contract/resources/application'
import { create, row, update } from '@trunkline/contract/shapes/application'
import type { EnvValues } from '@trunkline/contract/telephony/app-env'
import { containsText, type ListOptions, type WithOwner } from '../../db/repository'
import type { Connection, Row } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import { mountRoute } from '../../http/mount-route'
import { notFoundWithoutBody, badRequest, inUse, notFound } from '../../http/problem'
import { missingField } from '../../shared/refusals'
import { findPermitted, listRecords, requirePermission, resourceRoutes } from '../../http/resource-routes'
import { withoutUnreadable } from '../../http/unreadable-values'
import type { Services } from '../../services'
import { accountOf, ownerInAccount } from '../accounts/public'
import type { HookDraft } from '../webhooks/public'
import { appEnvRoutes, checkEnvVars } from './app-env'
import { applicationHookFields, type StoredApplication } from './repository'
import { webhookTestRoute } from './webhook-test'

const requiredHooks = ['call_hook', 'call_status_hook'] as const

const listOptions = ({ name, account_sid, service_provider_sid }: z.output<typeof listQuery>): ListOptions => ({
  ...(service_provider_sid ? { provider: service_provider_sid } : {}),
  where: [
    ...(name ? [containsText(sql`t.name`, name)] : []),
    ...(account_sid ? [sql`t.account_sid = ${account_sid}`] : []),
  ],
})

export const applicationRoutes = (app: FastifyInstance, services: Services): void => {
  const { store, applications, accounts, providers, webhooks, encryption: vault, quotas, appEnv } = services
  const { db } = store.database

  const saveHooks = async (values: Row, current: Partial<StoredApplication>, actor: Actor, connection: Connection) => {
    for (const name of applicationHookFields) {
      if (!(name in values)) continue
      const draft = values[name] as HookDraft | null | undefined
      delete values[name]
      // An empty object means no change; null removes the webhook.
      const hookDraft = draft && Object.keys(draft).length === 0 ? undefined : draft
      values[`${name}_sid`] = await webhooks.save(hookDraft, current[`${name}_sid`] ?? null, {
        actor,
        connection,
        field: name,
      })
    }
  }

  /** Refuses to remove a required webhook: calls would fail. An application that never had it stays valid. */
  const checkRequiredHooks = (changes: Row, current: WithOwner<StoredApplication>) => {
    for (const name of requiredHooks) {
      const draft = changes[name] as HookDraft | null | undefined
      if (current[name] && (draft === null || draft?.url === '')) throw missingField(`${name}.url`)
    }
  }

  /** Checks the variables against the new call webhook, or against the current one if the body has none. */
  const checkVariables = async ({ env_vars, call_hook }: Row, currentUrl?: string) => {
    if (!env_vars) return
    const newUrl = (call_hook as HookDraft | null | undefined)?.url
    await checkEnvVars(appEnv, newUrl || currentUrl, env_vars as EnvValues)
  }

  const toColumns = ({ created_at: _, ...values }: Row): Row => {
    if ('env_vars' in values) values.env_vars = values.env_vars ? vault.encrypt(JSON.stringify(values.env_vars)) : null
    return values
  }

  resourceRoutes(app, application, applications, {
    rowSchema: row,
    createBody: create,
    updateBody: update,
    missing: {
      read: notFoundWithoutBody,
      update: notFoundWithoutBody,
      remove: (_, { scope }) => (scope === 'account' ? badRequest('application does not exist') : notFound()),
    },
    listOptions: listOptions,
    ownerOf: async (draft, actor) => {
      const account_sid = accountOf(actor, draft.account_sid as string | undefined)
      if (!account_sid) {
        if (actor.scope === 'admin') throw missingField('account_sid')
        throw badRequest("missing required field: 'account_sid'", 'account_sid')
      }
      return ownerInAccount(accounts, account_sid)
    },
    insertRow: async (draft, application_sid, actor) => {
      await quotas.check('application', actor)
      await checkVariables(draft)
      const { service_provider_sid: _, ...columns } = draft
      const values = toColumns({
        ...columns,
        application_sid,
        account_sid: accountOf(actor, draft.account_sid as string),
      })
      await withTransaction(db, async (tx) => {
        const row = { ...values }
        await saveHooks(row, {}, actor, tx)
        await applications.insert(row, tx)
      })
    },
    updateRow: async (current: WithOwner<StoredApplication>, { service_provider_sid: _, ...input }, actor) => {
      const changes = withoutUnreadable(input, current)
      checkRequiredHooks(changes, current)
      const newAccountSid = changes.account_sid as string | undefined
      if (newAccountSid && newAccountSid !== current.account_sid) {
        requirePermission('application', 'update', actor, await ownerInAccount(accounts, newAccountSid))
        // Phone numbers and carriers may only use an application of their own account.
        const dependents = await applications.dependents(current.application_sid)
        if (dependents.length > 0) throw inUse('cannot move an application in use to another account', dependents)
      }
      await checkVariables(changes, current.call_hook?.url)
      await withTransaction(db, async (tx) => {
        const values = toColumns(changes)
        await saveHooks(values, current, actor, tx)
        await applications.update(current.application_sid, values, tx)
        await webhooks.removeUnlinked(
          applicationHookFields.map((name) => current[`${name}_sid`]),
          tx,
        )
      })
    },
    remove: async (current) => {
      const dependents = await applications.dependents(current.application_sid)
      if (dependents.length > 0) {
        const hasPhoneNumbers = dependents.some(({ kind }) => kind === 'phone_number')
        throw inUse(
          hasPhoneNumbers ? 'cannot delete application with phone numbers' : 'cannot delete application in use',
          dependents,
        )
      }
      await withTransaction(db, async (tx) => {
        await tx.deleteFrom('call_routes').where('application_sid', '=', current.application_sid).execute()
        await applications.remove(current.application_sid, tx)
        await webhooks.removeUnlinked(
          applicationHookFields.map((name) => current[`${name}_sid`]),
          tx,
        )
      })
    },
  })

  appEnvRoutes(app, appEnv)
  webhookTestRoute(app, services)

  const shapes = { query: listQuery, response: listResponse(row) }
  mountRoute(app, applicationsOfAccount, shapes, async ({ params, query, actor }) => {
    await findPermitted({ kind: 'account', rows: accounts }, 'read', actor, params.account_sid)
    return listRecords(applications, 'application', { ...query, ...params }, actor, listOptions)
  })
  mountRoute(app, applicationsOfProvider, shapes, async ({ params, query, actor }) => {
    await findPermitted({ kind: 'service_provider', rows: providers }, 'read', actor, params.service_provider_sid)
    return listRecords(applications, 'application', { ...query, ...params }, actor, listOptions)
  })
}
