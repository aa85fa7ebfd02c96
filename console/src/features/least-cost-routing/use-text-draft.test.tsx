import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useTextDraft } from './use-text-draft'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const renderDraft = (isDebounced: boolean) => {
  const reported: string[] = []
  const hook = renderHook(({ value }) => useTextDraft(value, isDebounced, (text) => void reported.push(text)), {
    initialProps: { value: '1' },
  })
  const typeKeys = (...keys: string[]) => {
    for (const text of keys) act(() => hook.result.current.setDraft(text))
  }
  return { told: reported, hook, type: typeKeys }
}

it('reports each key press if there are few routes', () => {
  const { told: reported, type: typeKeys } = renderDraft(false)
  typeKeys('16', '161')
  expect(reported).toEqual(['16', '161'])
})

it('reports once typing pauses if there are many routes, and shows each key press meanwhile', () => {
  const { told: reported, hook, type: typeKeys } = renderDraft(true)
  typeKeys('16', '161')
  expect(hook.result.current.text).toBe('161')
  expect(reported).toEqual([])
  act(() => void vi.runAllTimers())
  expect(reported).toEqual(['161'])
})

it('reports at once on blur and on unmount, and never twice', () => {
  const { told: reported, hook, type: typeKeys } = renderDraft(true)
  typeKeys('16')
  act(() => hook.result.current.flush())
  expect(reported).toEqual(['16'])
  typeKeys('167')
  hook.unmount()
  vi.runAllTimers()
  expect(reported).toEqual(['16', '167'])
})

it('shows a new value of the form', () => {
  const { hook } = renderDraft(true)
  hook.rerender({ value: '44' })
  expect(hook.result.current.text).toBe('44')
})
