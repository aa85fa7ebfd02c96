import { describe, expect, it } from 'vitest'
import { countAllowedDevices } from './capacity'

describe('the number of devices that may be registered', () => {
  it.each([
    ['paid', 10, 20, 70],
    ['paid', 25, 10, 135],
    ['paid', 14, 40, 110],
    ['trial', 5, 0, 25],
    ['free', 1, 1, 1],
  ])('on the plan %s with %s sessions and %s additional devices is %s', (plan, sessions, devices, allowed) => {
    expect(countAllowedDevices(plan, { voice_call_session: sessions, device: devices }, 5)).toBe(allowed)
  })
})
