import { expect, it } from 'vitest'
import { omitRouteSummaries } from './omit-route-summaries.mjs'

const { transform } = omitRouteSummaries() as unknown as { transform: (code: string, id: string) => string | null }
const resourceFile = '/project/contract/src/resources/session.ts'

it.each([
  ["defineRoute()('POST', '/logout', 'Sign out')", "defineRoute()('POST', '/logout', '')"],
  [
    "(\n  \"x\",\n  'GET',\n  '/Users/me',\n  \"Read the user's account\",\n)",
    "(\n  \"x\",\n  'GET',\n  '/Users/me',\n  '',\n)",
  ],
])('removes the summaries of routes from the code of a resource (%#)', (code, result) => {
  expect(transform(code, resourceFile)).toBe(result)
})

it('leaves other files alone', () => {
  expect(transform("('GET', '/logout', 'Sign out')", '/project/contract/src/kit/route.ts')).toBeNull()
})
