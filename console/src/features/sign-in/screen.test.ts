import { expect, it } from 'vitest'
import { Problem } from '../../lib/problem'
import { getSignInErrorMessage } from './screen'

const wrongCredentials = 'Login credentials are incorrect'
const generalFailure = 'Something went wrong, please try again'

it.each([
  [400, generalFailure],
  [401, wrongCredentials],
  [403, wrongCredentials],
  [404, wrongCredentials],
  [429, wrongCredentials],
  [500, 'The server cannot be reached'],
  [0, 'The server cannot be reached'],
  [502, generalFailure],
])('a sign-in that fails with status %i shows: %s', (status, message) => {
  expect(getSignInErrorMessage(new Problem(status, undefined))).toBe(message)
})

it('shows a general message for an error without a response', () =>
  expect(getSignInErrorMessage(new Error('x'))).toBe(generalFailure))
