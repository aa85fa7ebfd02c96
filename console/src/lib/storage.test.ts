import { afterEach, describe, expect, it } from 'vitest'
import { clearSavedFilters, clearStorage, kept, leaveFlash, passing, takeFlash } from './storage'

afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

describe('storage', () => {
  it('uses the keys that browsers may already have stored', () => {
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

  it('keeps an old password for this browser tab only', () => {
    passing.oldPassword.set('secret')
    expect(localStorage.length).toBe(0)
    expect(sessionStorage.getItem('old-password')).toBe('secret')
  })

  it('clears everything except the colour scheme', () => {
    kept.token.set('t')
    passing.userSid.set('u')
    localStorage.setItem('unknown', 'x')
    localStorage.setItem('trunkline.scheme', 'dark')
    clearStorage()
    expect({ ...localStorage }).toEqual({ 'trunkline.scheme': 'dark' })
    expect(sessionStorage.length).toBe(0)
  })

  it('clears only the filters', () => {
    kept.token.set('t')
    kept.queryFilter.set('q')
    kept.accountFilter.set('a')
    clearSavedFilters()
    expect({ ...localStorage }).toEqual({ token: 't' })
  })

  it('returns a message once', () => {
    leaveFlash('Bye')
    expect(takeFlash()).toBe('Bye')
    expect(takeFlash()).toBeNull()
  })
})
