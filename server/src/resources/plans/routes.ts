import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { Account } from '@trunkline/contract/shapes/account'
import type { Actor } from '@trunkline/contract/policy/actor'
import { planStates, type PlanState } from '@trunkline/contract/billing/plan-state'
import { messages } from '@trunkline/contract/messages/plan'
import {
  accountSubscription,
  extendTrial,
  planSummary,
  reactivateAccount,
} from '@trunkline/contract/resources/subscription'
import {
  accountSubscriptionSchema,
  planSummarySchema,
  trialExtensionSchema,
} from '@trunkline/contract/shapes/subscription'
import type { WithOwner } from '../../db/repository'
import type { Connection } from '../../db/repository-options'
import { toColumnTime } from '../../db/time'
import { withTransaction } from '../../db/transaction'
import { mountRoute } from '../../http/mount-route'
import { badRequest, forbidden, unprocessable } from '../../http/problem'
import { findPermitted } from '../../http/resource-routes'
import { logSecurityEvent } from '../../http/security-log'
import type { Services } from '../../composition/services'
import { attachSubscriptions } from './account-subscriptions'
import { trialQuantities } from './initial-subscription'
import { planStateSql } from './plan-state-sql'
import { replaceSubscription } from '../../shared/replace-subscription'

type PlanServices = Pick<Services, 'store' | 'accounts' | 'providers' | 'hostedEdition'>

/** Longest trial that a provider may give, from now. */
const maxTrialMs = 366 * 86_400_000

/** What the accounts of a provider pay per month, by currency. */
const readMonthlyTotals = async (db: Connection, service_provider_sid: string) => {
  const { rows } = await sql<{ currency: string; total: number | string }>`
    select d.next_currency as currency, sum(d.next_total) as total
    from trunkline_subscription_details d
    join account_subscriptions s on s.account_subscription_sid = d.account_subscription_sid
    join accounts a on a.account_sid = s.account_sid
    where a.service_provider_sid = ${service_provider_sid} and a.plan_type = 'paid'
      and s.effective_end_date is null and d.is_waiting = 0 and d.next_total is not null
    group by d.next_currency order by d.next_currency`.execute(db)
  return rows.map(({ currency, total }) => ({ currency, total: Number(total) }))
}

/** Counts the accounts of a provider by the state of their plan. */
const planSummaryRoute = (app: FastifyInstance, { store, providers }: PlanServices): void =>
  mountRoute(app, planSummary, { response: planSummarySchema }, async ({ params: { service_provider_sid }, actor }) => {
    if (actor.scope === 'account') throw forbidden('insufficient permissions')
    await findPermitted({ kind: 'service_provider', repository: providers }, 'read', actor, service_provider_sid)
    const { rows } = await sql<{ state: PlanState; accounts: number | string }>`
      select state, count(*) as accounts from
        (select ${planStateSql()} as state from accounts t where t.service_provider_sid = ${service_provider_sid}) states
      group by state`.execute(store.database.db)
    const countOf = (state: PlanState) => Number(rows.find((row) => row.state === state)?.accounts ?? 0)
    const counts = Object.fromEntries(planStates.map((state) => [state, countOf(state)])) as Record<PlanState, number>
    return {
      total: Object.values(counts).reduce((sum, count) => sum + count, 0),
      counts,
      monthly_totals: await readMonthlyTotals(store.database.db, service_provider_sid),
    }
  })

/** Finds an account that the actor manages: as its provider or as an administrator. */
const findManagedAccount = async (
  { accounts }: PlanServices,
  action: 'read' | 'update',
  actor: Actor,
  account_sid: string,
): Promise<WithOwner<Account>> => {
  const account = await findPermitted({ kind: 'account', repository: accounts }, action, actor, account_sid)
  if (actor.scope === 'account') throw forbidden('insufficient permissions')
  return account
}

const accountSubscriptionRoute = (app: FastifyInstance, services: PlanServices): void =>
  mountRoute(
    app,
    accountSubscription,
    { response: z.object({ subscription: accountSubscriptionSchema.nullable() }) },
    async ({ params: { account_sid }, actor }) => {
      const account = await findManagedAccount(services, 'read', actor, account_sid)
      const [row] = await attachSubscriptions(services, [account])
      return { subscription: row?.subscription ?? null }
    },
  )

const checkTrialEnd = (trial_end_date: string): void => {
  const endMs = new Date(trial_end_date).getTime()
  if (endMs <= Date.now()) throw badRequest(messages.trialEndInPast, 'trial_end_date')
  if (endMs > Date.now() + maxTrialMs) throw badRequest(messages.trialTooLong, 'trial_end_date')
}

/** Mounts the routes with which a provider manages the plans of its accounts. */
export const planRoutes = (app: FastifyInstance, services: PlanServices): void => {
  const { store, accounts, hostedEdition } = services
  if (!hostedEdition) return
  planSummaryRoute(app, services)
  accountSubscriptionRoute(app, services)

  mountRoute(
    app,
    extendTrial,
    { body: trialExtensionSchema },
    async ({ params: { account_sid }, body: { trial_end_date }, actor, request }) => {
      await findManagedAccount(services, 'update', actor, account_sid)
      checkTrialEnd(trial_end_date)
      await withTransaction(store.database.db, async (tx) => {
        await accounts.lockRow(account_sid, tx)
        const { plan_type } = await tx
          .selectFrom('accounts')
          .select('plan_type')
          .where('account_sid', '=', account_sid)
          .executeTakeFirstOrThrow()
        if (plan_type === 'paid') throw unprocessable(messages.noTrialOfPaidPlan)
        await accounts.update(
          account_sid,
          {
            plan_type: 'trial',
            is_active: 1,
            deactivated_reason: null,
            trial_end_date: toColumnTime(new Date(trial_end_date)),
          },
          tx,
        )
        if (plan_type !== 'trial')
          await replaceSubscription(tx, {
            account_sid,
            quantities: trialQuantities(hostedEdition.trial.callSessions),
            reason: 'trial extended',
          })
      })
      logSecurityEvent(request, 'plan_changed', { target_sid: account_sid, reason: 'trial extended' })
    },
  )

  mountRoute(app, reactivateAccount, {}, async ({ params: { account_sid }, actor, request }) => {
    await findManagedAccount(services, 'update', actor, account_sid)
    await accounts.update(account_sid, { is_active: 1, deactivated_reason: null })
    logSecurityEvent(request, 'plan_changed', { target_sid: account_sid, reason: 'reactivated' })
  })
}
