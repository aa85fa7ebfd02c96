import { describe, expect, it } from 'vitest'
import { getPlanState } from './plan-state'

const now = new Date('2026-11-24T12:00:00Z')

describe('the state of a plan', () => {
  it.each([
    ['paid', 1, null, 'active', 'paid'],
    ['paid', 1, '2026-01-01T00:00:00.000Z', undefined, 'paid'],
    ['paid', true, null, 'suspended', 'suspended'],
    ['trial', 1, '2026-11-24T12:00:01.000Z', 'active', 'trial'],
    ['trial', 1, null, undefined, 'trial'],
    ['trial', 1, '2026-11-24T12:00:00.000Z', 'active', 'trial_expired'],
    ['free', 0, '2026-11-01T00:00:00.000Z', 'active', 'trial_expired'],
    ['free', false, null, undefined, 'trial_expired'],
    ['free', 1, '2026-11-01T00:00:00.000Z', 'active', 'free'],
    ['free', true, null, undefined, 'free'],
  ])('%s, active %s, trial until %s, subscription %s: %s', (plan_type, is_active, trial_end_date, status, state) => {
    expect(getPlanState({ plan_type, is_active, trial_end_date }, status, now)).toBe(state)
  })
})
