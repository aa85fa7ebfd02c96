import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, type ApiClient } from '../../../test/api-client'
import { startBackend } from '../../../test/backend'
import { startHostedBackend, type HostedBackend } from '../../../test/hosted-backend'
import { toColumnTime } from '../../db/time'

const dayMs = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * dayMs)

describe.each(databaseEngines)('plans of accounts (%s)', (databaseEngine) => {
  let backend: HostedBackend
  let providerClient: ApiClient
  let provider: string
  beforeEach(async () => {
    backend = await startHostedBackend({ databaseEngine, edition: {} })
    provider = backend.testData.providers.north
    providerClient = createApiClient(backend.app, backend.testData.keys.north)
  })
  afterEach(() => backend.close())

  const { acme, bolt } = { acme: () => backend.testData.accounts.acme, bolt: () => backend.testData.accounts.bolt }
  const setPlan = (account_sid: string, columns: Record<string, unknown>) =>
    backend.services.accounts.update(account_sid, columns)
  const addDetails = (account_subscription_sid: string, next_total: number, next_currency: string) =>
    backend.database.db
      .insertInto('trunkline_subscription_details')
      .values({ account_subscription_sid, next_total, next_currency, next_at: inDays(8).getTime() })
      .execute()
  const addSubscription = (account_sid: string, pending: 0 | 1, account_subscription_sid = crypto.randomUUID()) =>
    backend.database.db
      .insertInto('account_subscriptions')
      .values({
        account_subscription_sid,
        account_sid,
        pending,
        pending_reason: pending ? Buffer.from('payment failed') : null,
      })
      .execute()
  const listByPlan = async (plan: string) => {
    const { body } = await providerClient('GET', `/ServiceProviders/${provider}/Accounts?page=1&plan=${plan}`)
    return (body.data as { account_sid: string }[]).map(({ account_sid }) => account_sid)
  }

  it('are counted by their state, and filter the list of accounts', async () => {
    await setPlan(acme(), { plan_type: 'paid' })
    await addSubscription(acme(), 1)
    await setPlan(bolt(), { plan_type: 'trial', trial_end_date: toColumnTime(inDays(-1)) })
    expect(await providerClient('GET', `/ServiceProviders/${provider}/PlanSummary`)).toMatchObject({
      status: 200,
      body: { total: 2, counts: { paid: 0, suspended: 1, trial: 0, trial_expired: 1, free: 0 } },
    })
    expect(await listByPlan('suspended')).toEqual([acme()])
    expect(await listByPlan('trial_expired')).toEqual([bolt()])
    expect(await listByPlan('free')).toEqual([])
    await addSubscription(acme(), 0)
    await setPlan(bolt(), { plan_type: 'free' })
    expect((await providerClient('GET', `/ServiceProviders/${provider}/PlanSummary`)).body.counts).toMatchObject({
      paid: 1,
      free: 1,
    })
  })

  it('are part of the list for the provider, not for the account', async () => {
    await setPlan(acme(), { plan_type: 'paid' })
    await addSubscription(acme(), 1)
    const path = `/ServiceProviders/${provider}/Accounts`
    const { body } = await providerClient('GET', path)
    expect(body.find((row: { account_sid: string }) => row.account_sid === acme()).subscription).toEqual({
      status: 'suspended',
      suspend_reason: 'payment failed',
      products: [],
      next_invoice: null,
    })
    expect(body.find((row: { account_sid: string }) => row.account_sid === bolt()).subscription).toBeNull()
    const { body: ownList } = await createApiClient(backend.app, backend.testData.keys.acme)('GET', path)
    expect(JSON.stringify(ownList)).not.toContain('suspend')
  })

  it('show what paid accounts pay next, and the total per currency', async () => {
    for (const [account_sid, total, currency] of [
      [acme(), 13_800, 'usd'],
      [bolt(), 9000, 'jpy'],
    ] as const) {
      await setPlan(account_sid, { plan_type: 'paid' })
      const account_subscription_sid = crypto.randomUUID()
      await addSubscription(account_sid, 0, account_subscription_sid)
      await addDetails(account_subscription_sid, total, currency)
    }
    expect((await providerClient('GET', `/ServiceProviders/${provider}/PlanSummary`)).body.monthly_totals).toEqual([
      { currency: 'jpy', total: 9000 },
      { currency: 'usd', total: 13_800 },
    ])
    const { body } = await providerClient('GET', `/ServiceProviders/${provider}/Accounts`)
    expect(body.find((row: { account_sid: string }) => row.account_sid === acme()).subscription.next_invoice).toEqual({
      total: 13_800,
      currency: 'usd',
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
  })

  it('show the unpaid invoice of a suspended account', async () => {
    await setPlan(acme(), { plan_type: 'paid' })
    const account_subscription_sid = crypto.randomUUID()
    await addSubscription(acme(), 1, account_subscription_sid)
    await backend.database.db
      .insertInto('trunkline_subscription_details')
      .values({
        account_subscription_sid,
        unpaid_total: 13_800,
        unpaid_currency: 'usd',
        unpaid_created_at: Date.UTC(2026, 10, 19),
      })
      .execute()
    const { body } = await providerClient('GET', `/ServiceProviders/${provider}/Accounts?page=1&plan=suspended`)
    expect(body.data[0].subscription).toMatchObject({
      status: 'suspended',
      unpaid_invoice: { total: 13_800, currency: 'usd', created_at: '2026-11-19T00:00:00.000Z' },
    })
    const { body: ofAccount } = await providerClient('GET', `/Accounts/${acme()}/Subscription`)
    expect(ofAccount.subscription).toEqual(body.data[0].subscription)
    expect((await providerClient('GET', `/Accounts/${bolt()}/Subscription`)).body).toEqual({ subscription: null })
  })

  it('sort the list by the end of the trial', async () => {
    await setPlan(acme(), { plan_type: 'trial', trial_end_date: toColumnTime(inDays(9)) })
    await setPlan(bolt(), { plan_type: 'trial', trial_end_date: toColumnTime(inDays(2)) })
    const path = `/ServiceProviders/${provider}/Accounts?page=1&plan=trial&sort=trial_end_date`
    const { body } = await providerClient('GET', path)
    expect(body.data.map(({ account_sid }: { account_sid: string }) => account_sid)).toEqual([bolt(), acme()])
  })

  it('extend a trial, and start an expired one again with its quantities', async () => {
    await setPlan(acme(), { plan_type: 'free', is_active: 0, deactivated_reason: 'trial expired' })
    const trial_end_date = inDays(14).toISOString()
    expect((await providerClient('PUT', `/Accounts/${acme()}/Trial`, { trial_end_date })).status).toBe(204)
    expect((await providerClient('GET', `/Accounts/${acme()}`)).body).toMatchObject({
      plan_type: 'trial',
      is_active: 1,
      deactivated_reason: null,
      trial_end_date: `${trial_end_date.slice(0, 19)}.000Z`,
    })
    const { body } = await providerClient('GET', `/ServiceProviders/${provider}/Accounts?page=1&plan=trial`)
    expect(body.data[0].subscription.products).toEqual([
      { name: 'concurrent call session', quantity: 5 },
      { name: 'registered device', quantity: 0 },
    ])
  })

  it.each([
    [() => ({ trial_end_date: inDays(-1).toISOString() }), 400, 'The trial must end in the future.'],
    [() => ({ trial_end_date: inDays(400).toISOString() }), 400, 'A trial can be at most one year long.'],
  ])('refuse the end of a trial: %#', async (buildBody, status, msg) => {
    expect(await providerClient('PUT', `/Accounts/${acme()}/Trial`, buildBody())).toMatchObject({
      status,
      body: { msg, field: 'trial_end_date' },
    })
  })

  it('refuse a trial for a paid account, and malformed dates', async () => {
    await setPlan(acme(), { plan_type: 'paid' })
    const path = `/Accounts/${acme()}/Trial`
    expect((await providerClient('PUT', path, { trial_end_date: inDays(3).toISOString() })).status).toBe(422)
    for (const trial_end_date of ['tomorrow', 7, null, '']) {
      expect((await providerClient('PUT', path, { trial_end_date })).status).toBe(400)
    }
  })

  it('reactivate an account', async () => {
    await setPlan(acme(), { is_active: 0, deactivated_reason: 'abuse' })
    expect((await providerClient('POST', `/Accounts/${acme()}/Reactivation`)).status).toBe(204)
    expect((await providerClient('GET', `/Accounts/${acme()}`)).body).toMatchObject({
      is_active: 1,
      deactivated_reason: null,
    })
  })

  it('are changed neither by the account itself nor by another provider', async () => {
    const trial_end_date = inDays(3).toISOString()
    for (const [key, statuses] of [
      [backend.testData.keys.acme, [403]],
      [backend.testData.keys.bolt, [403, 404]],
      [backend.testData.keys.south, [403, 404]],
    ] as const) {
      const client = createApiClient(backend.app, key)
      expect(statuses).toContain((await client('PUT', `/Accounts/${acme()}/Trial`, { trial_end_date })).status)
      expect(statuses).toContain((await client('POST', `/Accounts/${acme()}/Reactivation`)).status)
      expect(statuses).toContain((await client('GET', `/Accounts/${acme()}/Subscription`)).status)
      expect([403, 404]).toContain((await client('GET', `/ServiceProviders/${provider}/PlanSummary`)).status)
    }
  })
})

it('have no routes without the hosted edition', async () => {
  const backend = await startBackend()
  const client = createApiClient(backend.app, backend.testData.keys.admin)
  const path = `/ServiceProviders/${backend.testData.providers.north}/PlanSummary`
  expect((await client('GET', path)).status).toBe(404)
  await backend.close()
})
