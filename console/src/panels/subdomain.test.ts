import { expect, it } from 'vitest'
import { findSubdomainError, toSubdomain } from './subdomain'

it.each(['abc', 'a-1', '123', 'a'.repeat(63)])('accepts %s', (subdomain) =>
  expect(findSubdomainError(subdomain, 'example.com')).toBeUndefined(),
)

it.each([
  ['my_company', 'Use letters, digits and hyphens only.'],
  ['my.company', 'Use letters, digits and hyphens only.'],
  ['café', 'Use letters, digits and hyphens only.'],
  ['-abc', 'A subdomain may not start or end with a hyphen.'],
  ['abc-', 'A subdomain may not start or end with a hyphen.'],
  ['a'.repeat(64), 'Use at most 63 characters.'],
])('refuses %s', (subdomain, message) => expect(findSubdomainError(subdomain, 'example.com')).toBe(message))

it('limits the complete realm to 132 characters', () => {
  const rootDomain = 'b'.repeat(100)
  expect(findSubdomainError('a'.repeat(31), rootDomain)).toBeUndefined()
  expect(findSubdomainError('a'.repeat(32), rootDomain)).toBe('Use at most 31 characters.')
})

it('converts capitals and removes blanks around the name', () => expect(toSubdomain(' Bramble ')).toBe('bramble'))
