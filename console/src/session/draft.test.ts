import { expect, it } from 'vitest'
import { draftOf, keepDraft, takeDraft, type Draft } from './draft'

const draft: Draft = { user_sid: 'ada', provider: 'p', address: '/internal/x', values: { name: 'typed' } }

it('gives a draft to its user once, on its page only', () => {
  keepDraft(draft)
  expect(takeDraft('ada', '/internal/y')).toBeUndefined()
  expect(draftOf('ada')).toEqual(draft)
  expect(takeDraft('ada', '/internal/x')).toEqual({ name: 'typed' })
  expect(takeDraft('ada', '/internal/x')).toBeUndefined()
})

it.each([['bob'], [undefined]])('forgets it when %s comes', (user) => {
  keepDraft(draft)
  expect(takeDraft(user, '/internal/x')).toBeUndefined()
  expect(draftOf('ada')).toBeUndefined()
})
