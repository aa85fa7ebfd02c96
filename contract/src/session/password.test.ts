import { describe, expect, it } from 'vitest'
import { findPasswordErrors, findPasswordRefusal, toPasswordRule } from './password'

const strictRule = { min_password_length: 10, require_digit: 1, require_special_character: 1 }

describe('findPasswordErrors', () => {
  it('names each rule that a password breaks', () => {
    expect(findPasswordErrors('abc', strictRule)).toEqual([
      'Be at least 10 characters long',
      'Contain at least one number',
      'Contain at least one special character',
    ])
    expect(findPasswordErrors('abcdefgh1!', strictRule)).toEqual([])
  })

  it.each([...'!@#$%^&*()_+-=[]{};\':"\\|,.<>/?'])('counts %s as a special character', (character) => {
    expect(findPasswordErrors(`abcdefghi1${character}`, strictRule)).toEqual([])
  })
})

describe('toPasswordRule', () => {
  it('detects from missing fields that no rule is stored, and then agrees with findPasswordRefusal', () => {
    const rule = toPasswordRule({ min_password_length: 8 })
    for (const length of [7, 8, 20, 21]) {
      const password = 'x'.repeat(length)
      expect(findPasswordErrors(password, rule).length > 0).toBe(findPasswordRefusal(password, undefined) !== undefined)
    }
    expect(findPasswordErrors('x'.repeat(21), rule)).toEqual(['Be at most 20 characters long'])
    expect(findPasswordErrors('x1!'.repeat(20), toPasswordRule(strictRule))).toEqual([])
  })
})

describe('findPasswordRefusal', () => {
  it('requires 8 to 20 characters if no rule is stored', () => {
    const message = 'password length must be between 8 and 20'
    expect(findPasswordRefusal('1234567', undefined)).toBe(message)
    expect(findPasswordRefusal('12345678', undefined)).toBeUndefined()
    expect(findPasswordRefusal('x'.repeat(20), undefined)).toBeUndefined()
    expect(findPasswordRefusal('x'.repeat(21), undefined)).toBe(message)
  })

  it.each([
    ['short', 'password must be at least 10 characters long'],
    ['abcdefghij', 'password must contain at least one digit'],
    ['abcdefghi1', 'password must contain at least one special character'],
    ['abcdefgh1!', undefined],
  ])('returns the first violation of a stored rule by %s', (password, message) => {
    expect(findPasswordRefusal(password, strictRule)).toBe(message)
  })
})
