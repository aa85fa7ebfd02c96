import { expect, it } from 'vitest'
import { Problem } from '../../lib/problem'
import { refusalWords } from './page'

const wrong = 'Login credentials are incorrect'
const failed = 'Something went wrong, please try again'

it.each([
  [400, failed],
  [401, wrong],
  [403, wrong],
  [404, wrong],
  [429, wrong],
  [500, 'The server cannot be reached'],
  [0, 'The server cannot be reached'],
  [502, failed],
])('a sign-in that fails with status %i shows: %s', (status, words) => {
  expect(refusalWords(new Problem(status, undefined))).toBe(words)
})

it('shows a general message for an error without a response', () => expect(refusalWords(new Error('x'))).toBe(failed))
