import { expect, it } from 'vitest'
import { localValues } from '../lib/storage'
import { currentSession, hasEndedWithoutSignOut, endSession, leaveSession } from './session'

const token = (user_sid: string) =>
  `x.${Buffer.from(JSON.stringify({ scope: 'admin', user_sid, name: 'n' })).toString('base64url')}.x`

it('reports an involuntary end, even after an earlier session was logged out and another tab started this one', () => {
  localValues.token.set(token('first'))
  expect(currentSession()?.actor.user_sid).toBe('first')
  leaveSession()
  expect(hasEndedWithoutSignOut()).toBe(false)
  localValues.token.set(token('second'))
  expect(currentSession()?.actor.user_sid).toBe('second')
  endSession()
  expect(hasEndedWithoutSignOut()).toBe(true)
})
