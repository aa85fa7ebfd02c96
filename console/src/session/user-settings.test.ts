import { afterEach, describe, expect, it } from 'vitest'
import { localValues } from '../lib/storage'
import { getLandingPath } from './landing-path'
import { mayStartAtHome, readUserSettings } from './user-settings'

afterEach(() => localStorage.clear())

const admin = { scope: 'admin', user_sid: 'u-1' } as const

describe('the settings of users', () => {
  it('belong to one user of the browser', () => {
    localValues.userSettings.set(JSON.stringify({ 'u-1': { startsAtHome: true } }))
    expect(getLandingPath(admin)).toBe('/internal/home')
    expect(getLandingPath({ scope: 'admin', user_sid: 'u-2' })).toBe('/internal/accounts')
    expect(getLandingPath({ scope: 'admin' })).toBe('/internal/accounts')
    expect(mayStartAtHome()).toBe(true)
  })

  it.each(['', '{', 'null', '[]', '"x"', '{"u-1":null}', '{"u-1":"x"}', '{"u-1":{"startsAtHome":"yes"}}'])(
    'are the defaults if the stored text is %j',
    (text) => {
      localValues.userSettings.set(text)
      expect(getLandingPath(admin)).toBe('/internal/accounts')
      expect(mayStartAtHome()).toBe(false)
    },
  )

  it('do not come from the prototype of objects', () => {
    expect(readUserSettings({ scope: 'admin', user_sid: 'constructor' })).toEqual({})
  })
})
