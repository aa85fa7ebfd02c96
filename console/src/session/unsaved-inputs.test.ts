import { beforeEach, expect, it } from 'vitest'
import { getUnsavedInputs, saveUnsavedInput, takeUnsavedInput, type UnsavedInput } from './unsaved-inputs'

const pageInput: UnsavedInput = {
  user_sid: 'ada',
  providerSid: 'p',
  url: '/internal/x?copy=1',
  values: { name: 'typed' },
  initialValues: { name: 'stored' },
}
const dialogInput: UnsavedInput = { ...pageInput, dialog: 'add-provider' }

// reading as another user discards the input of earlier tests
beforeEach(() => getUnsavedInputs('nobody'))

it('returns unsaved input once, only to its user and on its page', () => {
  saveUnsavedInput(pageInput)
  expect(takeUnsavedInput('ada', '/internal/y')).toBeUndefined()
  expect(takeUnsavedInput('ada', '/internal/x')).toBeUndefined()
  expect(getUnsavedInputs('ada')).toEqual([pageInput])
  expect(takeUnsavedInput('ada', pageInput.url)).toEqual(pageInput)
  expect(takeUnsavedInput('ada', pageInput.url)).toBeUndefined()
})

it('keeps separate input for a page and for a dialog on it', () => {
  saveUnsavedInput(pageInput)
  saveUnsavedInput(dialogInput)
  expect(takeUnsavedInput('ada', pageInput.url, 'add-provider')).toEqual(dialogInput)
  expect(takeUnsavedInput('ada', pageInput.url, 'add-provider')).toBeUndefined()
  expect(takeUnsavedInput('ada', pageInput.url)).toEqual(pageInput)
})

it('keeps only the input of the last page, one entry for each form', () => {
  saveUnsavedInput(dialogInput)
  const nextPageInput = { ...pageInput, url: '/internal/y' }
  saveUnsavedInput(nextPageInput)
  expect(getUnsavedInputs('ada')).toEqual([nextPageInput])
  saveUnsavedInput({ ...nextPageInput, values: { name: 'retyped' } })
  expect(getUnsavedInputs('ada')).toEqual([{ ...nextPageInput, values: { name: 'retyped' } }])
})

it('deletes the input when another user signs in', () => {
  saveUnsavedInput(pageInput)
  expect(takeUnsavedInput('bob', pageInput.url)).toBeUndefined()
  expect(getUnsavedInputs('ada')).toEqual([])
})

it('keeps the input if its page is rendered once more without a user while the session ends', () => {
  saveUnsavedInput(pageInput)
  expect(takeUnsavedInput(undefined, pageInput.url)).toBeUndefined()
  expect(getUnsavedInputs(undefined)).toEqual([])
  expect(getUnsavedInputs('ada')).toEqual([pageInput])
})
