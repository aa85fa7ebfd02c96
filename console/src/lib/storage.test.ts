import { afterEach, describe, expect, it } from 'vitest'
import { clearSavedFilters, clearStorage, kept, leaveFlash, passing, takeFlash } from './storage'

afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

describe('storage', () => {
  it('keeps under the names that browsers may already have', () => {
    kept.token.set('t')
    kept.provider.set('p')
    kept.accountFilter.set('a')
    kept.queryFilter.set('q')
    expect({ ...localStorage }).toEqual({
      token: 't',
      activeServiceProvider: 'p',
      accountFilter: 'a',
      queryFilter: 'q',
    })
  })

  it('keeps an old password for this window only', () => {
    passing.oldPassword.set('secret')
    expect(localStorage.length).toBe(0)
    expect(sessionStorage.getItem('old-password')).toBe('secret')
  })

  it('forgets everything but the chosen colours', () => {
    kept.token.set('t')
    passing.userSid.set('u')
    localStorage.setItem('unknown', 'x')
    localStorage.setItem('trunkline.scheme', 'dark')
    clearStorage()
    expect({ ...localStorage }).toEqual({ 'trunkline.scheme': 'dark' })
    expect(sessionStorage.length).toBe(0)
  })

  it('forgets filters alone', () => {
    kept.token.set('t')
    kept.queryFilter.set('q')
    kept.accountFilter.set('a')
    clearSavedFilters()
    expect({ ...localStorage }).toEqual({ token: 't' })
  })

  it('gives a message once', () => {
    leaveFlash('Bye')
    expect(takeFlash()).toBe('Bye')
    expect(takeFlash()).toBeNull()
  })
})
