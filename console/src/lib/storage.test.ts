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

  it('clears everything except the colour scheme and the settings of users', () => {
    localValues.token.set('t')
    sessionValues.userSid.set('u')
    localStorage.setItem('unknown', 'x')
    localStorage.setItem('trunkline.scheme', 'dark')
    localValues.userSettings.set('{}')
    clearStorage()
    expect({ ...localStorage }).toEqual({ 'trunkline.scheme': 'dark', 'trunkline.user-settings': '{}' })
    expect(sessionStorage.length).toBe(0)
  })

  it('clears only the filters', () => {
    localValues.token.set('t')
    localValues.queryFilter.set('q')
    localValues.accountFilter.set('a')
    clearSavedFilters()
    expect({ ...localStorage }).toEqual({ token: 't' })
  })

  it('returns a message with its kind, once', () => {
    setFlash('Bye', 'ok')
    expect(takeFlash()).toEqual({ kind: 'ok', text: 'Bye' })
    expect(takeFlash()).toBeUndefined()
  })

  it('treats a message as an error by default', () => {
    setFlash('ok is\nnot a kind here')
    expect(takeFlash()).toEqual({ kind: 'bad', text: 'ok is\nnot a kind here' })
  })
})
