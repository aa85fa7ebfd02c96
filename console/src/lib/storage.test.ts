import { afterEach, describe, expect, it } from 'vitest'
import { clearSavedFilters, clearStorage, localValues, setFlash, sessionValues, takeFlash } from './storage'

afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

describe('storage', () => {
  it('uses the keys that browsers may already have stored', () => {
    localValues.token.set('t')
    localValues.provider.set('p')
    localValues.accountFilter.set('a')
    localValues.queryFilter.set('q')
    expect({ ...localStorage }).toEqual({
      token: 't',
      activeServiceProvider: 'p',
      accountFilter: 'a',
      queryFilter: 'q',
    })
  })

  it('keeps an old password for this browser tab only', () => {
    sessionValues.oldPassword.set('secret')
    expect(localStorage.length).toBe(0)
    expect(sessionStorage.getItem('old-password')).toBe('secret')
  })

  it('clears everything except the colour scheme', () => {
    localValues.token.set('t')
    sessionValues.userSid.set('u')
    localStorage.setItem('unknown', 'x')
    localStorage.setItem('trunkline.scheme', 'dark')
    clearStorage()
    expect({ ...localStorage }).toEqual({ 'trunkline.scheme': 'dark' })
    expect(sessionStorage.length).toBe(0)
  })

  it('clears only the filters', () => {
    localValues.token.set('t')
    localValues.queryFilter.set('q')
    localValues.accountFilter.set('a')
    clearSavedFilters()
    expect({ ...localStorage }).toEqual({ token: 't' })
  })

  it('returns a message once', () => {
    setFlash('Bye')
    expect(takeFlash()).toBe('Bye')
    expect(takeFlash()).toBeNull()
  })
})
