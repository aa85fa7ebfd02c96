import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useTextDraft } from './use-text-draft'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const renderDraft = (isDebounced: boolean) => {
  const reportedTexts: string[] = []
  const hook = renderHook(({ value }) => useTextDraft(value, isDebounced, (draft) => void reportedTexts.push(draft)), {
    initialProps: { value: '1' },
  })
  const typeTexts = (...texts: string[]) => {
    for (const text of texts) act(() => hook.result.current.setDraft(text))
  }
  return { reportedTexts, hook, typeTexts }
}

it('reports each key press if there are few routes', () => {
  const { reportedTexts, typeTexts } = renderDraft(false)
  typeTexts('16', '161')
  expect(reportedTexts).toEqual(['16', '161'])
})

it('reports once typing pauses if there are many routes, and shows each key press meanwhile', () => {
  const { reportedTexts, hook, typeTexts } = renderDraft(true)
  typeTexts('16', '161')
  expect(hook.result.current.text).toBe('161')
  expect(reportedTexts).toEqual([])
  act(() => void vi.runAllTimers())
  expect(reportedTexts).toEqual(['161'])
})

it('reports at once on blur and on unmount, and never twice', () => {
  const { reportedTexts, hook, typeTexts } = renderDraft(true)
  typeTexts('16')
  act(() => hook.result.current.flush())
  expect(reportedTexts).toEqual(['16'])
  typeTexts('167')
  hook.unmount()
  vi.runAllTimers()
  expect(reportedTexts).toEqual(['16', '167'])
})

it('shows a new value that the form has set', () => {
  const { hook } = renderDraft(true)
  hook.rerender({ value: '44' })
  expect(hook.result.current.text).toBe('44')
})
