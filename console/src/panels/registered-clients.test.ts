import { expect, it } from 'vitest'
import { getUsername } from './registered-clients'

it.each([
  ['anna@acme.example', 'anna'],
  ['anna@desk@acme.example', 'anna@desk'],
  ['anna', 'anna'],
])('reads the username of the registered address %s', (address, username) => {
  expect(getUsername(address)).toBe(username)
})
