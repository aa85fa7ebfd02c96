import { expect, it } from 'vitest'
import { localValues } from '../lib/storage'
import { getCurrentSession, hasEndedWithoutSignOut, endSession, endSessionLocally } from './session'

const createToken = (user_sid: string) =>
  `x.${Buffer.from(JSON.stringify({ scope: 'admin', user_sid, name: 'n' })).toString('base64url')}.x`

it('reports an involuntary end, even after an earlier session was logged out and another tab started this one', () => {
  localValues.token.set(createToken('first'))
  expect(getCurrentSession()?.actor.user_sid).toBe('first')
  endSessionLocally()
  expect(hasEndedWithoutSignOut()).toBe(false)
  localValues.token.set(createToken('second'))
  expect(getCurrentSession()?.actor.user_sid).toBe('second')
  endSession()
  expect(hasEndedWithoutSignOut()).toBe(true)
})
