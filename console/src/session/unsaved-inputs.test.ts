import { beforeEach, expect, it } from 'vitest'
import { getUnsavedInputs, saveUnsavedInput, takeUnsavedInput, type UnsavedInput } from './unsaved-inputs'

const screenInput: UnsavedInput = {
  user_sid: 'ada',
  providerSid: 'p',
  url: '/internal/x?copy=1',
  values: { name: 'typed' },
  initialValues: { name: 'stored' },
}
const dialogInput: UnsavedInput = { ...screenInput, dialog: 'add-provider' }

// reading as another user discards the input of earlier tests
beforeEach(() => getUnsavedInputs('nobody'))

it('returns unsaved input once, only to its user and on its screen', () => {
  saveUnsavedInput(screenInput)
  expect(takeUnsavedInput('ada', '/internal/y')).toBeUndefined()
  expect(takeUnsavedInput('ada', '/internal/x')).toBeUndefined()
  expect(getUnsavedInputs('ada')).toEqual([screenInput])
  expect(takeUnsavedInput('ada', screenInput.url)).toEqual(screenInput)
  expect(takeUnsavedInput('ada', screenInput.url)).toBeUndefined()
})

it('keeps separate input for a screen and for a dialog on it', () => {
  saveUnsavedInput(screenInput)
  saveUnsavedInput(dialogInput)
  expect(takeUnsavedInput('ada', screenInput.url, 'add-provider')).toEqual(dialogInput)
  expect(takeUnsavedInput('ada', screenInput.url, 'add-provider')).toBeUndefined()
  expect(takeUnsavedInput('ada', screenInput.url)).toEqual(screenInput)
})

it('keeps only the input of the last screen, one entry for each form', () => {
  saveUnsavedInput(dialogInput)
  const nextScreenInput = { ...screenInput, url: '/internal/y' }
  saveUnsavedInput(nextScreenInput)
  expect(getUnsavedInputs('ada')).toEqual([nextScreenInput])
  saveUnsavedInput({ ...nextScreenInput, values: { name: 'retyped' } })
  expect(getUnsavedInputs('ada')).toEqual([{ ...nextScreenInput, values: { name: 'retyped' } }])
})

it('deletes the input when another user signs in', () => {
  saveUnsavedInput(screenInput)
  expect(takeUnsavedInput('bob', screenInput.url)).toBeUndefined()
  expect(getUnsavedInputs('ada')).toEqual([])
})

it('keeps the input if its screen is rendered once more without a user while the session ends', () => {
  saveUnsavedInput(screenInput)
  expect(takeUnsavedInput(undefined, screenInput.url)).toBeUndefined()
  expect(getUnsavedInputs(undefined)).toEqual([])
  expect(getUnsavedInputs('ada')).toEqual([screenInput])
})
