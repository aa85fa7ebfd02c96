import { beforeEach, expect, it } from 'vitest'
import { draftsOf, keepDraft, takeDraft, type Draft } from './unsaved-drafts'

const draft: Draft = {
  user_sid: 'ada',
  provider: 'p',
  address: '/internal/x?copy=1',
  values: { name: 'typed' },
  begun: { name: 'stored' },
}
const inDialog: Draft = { ...draft, dialog: 'add-provider' }

beforeEach(() => draftsOf('nobody'))

it('returns a draft once, to its user and on its page only', () => {
  keepDraft(draft)
  expect(takeDraft('ada', '/internal/y')).toBeUndefined()
  expect(takeDraft('ada', '/internal/x')).toBeUndefined()
  expect(draftsOf('ada')).toEqual([draft])
  expect(takeDraft('ada', draft.address)).toEqual(draft)
  expect(takeDraft('ada', draft.address)).toBeUndefined()
})

it('keeps separate drafts for a page and for a dialog on it', () => {
  keepDraft(draft)
  keepDraft(inDialog)
  expect(takeDraft('ada', draft.address, 'add-provider')).toEqual(inDialog)
  expect(takeDraft('ada', draft.address, 'add-provider')).toBeUndefined()
  expect(takeDraft('ada', draft.address)).toEqual(draft)
})

it('keeps only the drafts of the last page, one for each form', () => {
  keepDraft(inDialog)
  const next = { ...draft, address: '/internal/y' }
  keepDraft(next)
  expect(draftsOf('ada')).toEqual([next])
  keepDraft({ ...next, values: { name: 'typed anew' } })
  expect(draftsOf('ada')).toEqual([{ ...next, values: { name: 'typed anew' } }])
})

it('deletes the draft when another user signs in', () => {
  keepDraft(draft)
  expect(takeDraft('bob', draft.address)).toBeUndefined()
  expect(draftsOf('ada')).toEqual([])
})

it('keeps the draft if its page is rendered once more without a user, as a session ends', () => {
  keepDraft(draft)
  expect(takeDraft(undefined, draft.address)).toBeUndefined()
  expect(draftsOf(undefined)).toEqual([])
  expect(draftsOf('ada')).toEqual([draft])
})
