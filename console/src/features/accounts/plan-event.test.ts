import { describe, expect, it } from 'vitest'
import { getPlanEvent } from './plan-event'

const now = new Date('2026-11-23T12:00:00.000Z')
const daysFromNow = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString()
const trial = (trial_end_date: string | null) => ({ plan_type: 'trial', is_active: 1, trial_end_date })
const paid = (subscription: object) => ({
  plan_type: 'paid',
  is_active: 1,
  trial_end_date: null,
  subscription: { status: 'active' as const, products: [], next_invoice: null, ...subscription },
})

describe('the event of a plan', () => {
  it.each([
    [0.1, 'Trial ends today', 'warn'],
    [0.9, 'Trial ends in 1 day', 'warn'],
    [4.5, 'Trial ends in 5 days', 'warn'],
    [11, 'Trial ends in 11 days', undefined],
  ])('counts the days to the end of a trial: %s', (days, text, tone) => {
    const event = getPlanEvent(trial(daysFromNow(days)), now)
    expect(event).toMatchObject({ text, date: daysFromNow(days) })
    expect(event?.tone).toBe(tone)
  })

  it('is absent for a trial without an end', () => expect(getPlanEvent(trial(null), now)).toBeUndefined())

  it.each([
    ['the server has not ended yet', trial(daysFromNow(-0.1))],
    ['the server has ended', { plan_type: 'free', is_active: 0, trial_end_date: daysFromNow(-0.1) }],
  ])('is the end of a trial that %s', (_case, account) =>
    expect(getPlanEvent(account, now)).toEqual({ text: 'Trial ended', date: daysFromNow(-0.1), tone: 'warn' }),
  )

  it('is the next invoice of a paid plan', () => {
    const next_invoice = { total: 13_800, currency: 'usd', date: daysFromNow(8) }
    expect(getPlanEvent(paid({ next_invoice }), now)).toEqual({ text: 'Next billing', date: daysFromNow(8) })
    expect(getPlanEvent(paid({}), now)).toBeUndefined()
  })

  it('is the end of a paid plan that ends', () =>
    expect(getPlanEvent(paid({ ends_at: daysFromNow(8) }), now)).toMatchObject({
      text: 'Paid plan ends',
      date: daysFromNow(8),
    }))

  it('is the failed payment of a suspended plan', () => {
    const unpaid_invoice = { total: 13_800, currency: 'usd', created_at: daysFromNow(-4) }
    expect(getPlanEvent(paid({ status: 'suspended', unpaid_invoice }), now)).toEqual({
      text: 'Payment failed',
      date: daysFromNow(-4),
      tone: 'bad',
    })
    expect(getPlanEvent(paid({ status: 'suspended' }), now)?.date).toBeNull()
  })

  it('is absent on the free plan', () =>
    expect(getPlanEvent({ plan_type: 'free', is_active: 1, trial_end_date: daysFromNow(-9) }, now)).toBeUndefined())
})
