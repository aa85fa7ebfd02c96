import { expect, it } from 'vitest'
import { describePath } from './url-path'

const sid = '5d2fbd1e-8c5b-4f9a-9f51-4a1d6e5a0b11'

it('keeps SIDs in the path', () => {
  expect(describePath('/v1/Accounts/:sid', { sid })).toBe(`/v1/Accounts/${sid}`)
})

it.each(['15551234567', 'ann@example.com', 'a-secret-token', `${sid}x`, undefined])(
  'replaces the value %s by the name of the parameter',
  (value) => {
    expect(describePath('/v1/Accounts/:sid/Users/:user(^\\w+)', { sid, user: value })).toBe(
      `/v1/Accounts/${sid}/Users/:user`,
    )
  },
)
