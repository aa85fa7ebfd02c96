import { beforeEach, expect, it } from 'vitest'
import { getDrafts, saveDraft, takeDraft, type Draft } from './unsaved-drafts'

const draft: Draft = {
  user_sid: 'ada',
  provider: 'p',
  address: '/internal/x?copy=1',
  values: { name: 'typed' },
  begun: { name: 'stored' },
}
const inDialog: Draft = { ...draft, dialog: 'add-provider' }

beforeEach(() => getDrafts('nobody'))

it('returns a draft once, to its user and on its page only', () => {
  saveDraft(draft)
  expect(takeDraft('ada', '/internal/y')).toBeUndefined()
  expect(takeDraft('ada', '/internal/x')).toBeUndefined()
  expect(getDrafts('ada')).toEqual([draft])
  expect(takeDraft('ada', draft.address)).toEqual(draft)
  expect(takeDraft('ada', draft.address)).toBeUndefined()
})

it('keeps separate drafts for a page and for a dialog on it', () => {
  saveDraft(draft)
  saveDraft(inDialog)
  expect(takeDraft('ada', draft.address, 'add-provider')).toEqual(inDialog)
  expect(takeDraft('ada', draft.address, 'add-provider')).toBeUndefined()
  expect(takeDraft('ada', draft.address)).toEqual(draft)
})

it('keeps only the drafts of the last page, one for each form', () => {
  saveDraft(inDialog)
  const next = { ...draft, address: '/internal/y' }
  saveDraft(next)
  expect(getDrafts('ada')).toEqual([next])
  saveDraft({ ...next, values: { name: 'typed anew' } })
  expect(getDrafts('ada')).toEqual([{ ...next, values: { name: 'typed anew' } }])
})

it('deletes the draft when another user signs in', () => {
  saveDraft(draft)
  expect(takeDraft('bob', draft.address)).toBeUndefined()
  expect(getDrafts('ada')).toEqual([])
})

it('keeps the draft if its page is rendered once more without a user, as a session ends', () => {
  saveDraft(draft)
  expect(takeDraft(undefined, draft.address)).toBeUndefined()
  expect(getDrafts(undefined)).toEqual([])
  expect(getDrafts('ada')).toEqual([draft])
})
