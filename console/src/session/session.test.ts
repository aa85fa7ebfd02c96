import { expect, it } from 'vitest'
import { kept } from '../lib/storage'
import { currentSession, endedUnasked, endSession, leaveSession } from './session'

const token = (user_sid: string) =>
  `x.${Buffer.from(JSON.stringify({ scope: 'admin', user_sid, name: 'n' })).toString('base64url')}.x`

it('reports an involuntary end, even after an earlier session was logged out and another tab started this one', () => {
  kept.token.set(token('first'))
  expect(currentSession()?.actor.user_sid).toBe('first')
  leaveSession()
  expect(endedUnasked()).toBe(false)
  kept.token.set(token('second'))
  expect(currentSession()?.actor.user_sid).toBe('second')
  endSession()
  expect(endedUnasked()).toBe(true)
})
