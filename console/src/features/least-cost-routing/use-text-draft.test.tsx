import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useTyped } from './use-text-draft'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const start = (late: boolean) => {
  const told: string[] = []
  const hook = renderHook(({ value }) => useTyped(value, late, (next) => void told.push(next)), {
    initialProps: { value: '1' },
  })
  const type = (...keys: string[]) => {
    for (const next of keys) act(() => hook.result.current.type(next))
  }
  return { told, hook, type }
}

it('reports each key press if there are few routes', () => {
  const { told, type } = start(false)
  type('16', '161')
  expect(told).toEqual(['16', '161'])
})

it('reports once typing pauses if there are many routes, and shows each key press meanwhile', () => {
  const { told, hook, type } = start(true)
  type('16', '161')
  expect(hook.result.current.text).toBe('161')
  expect(told).toEqual([])
  act(() => void vi.runAllTimers())
  expect(told).toEqual(['161'])
})

it('reports at once on blur and on unmount, and never twice', () => {
  const { told, hook, type } = start(true)
  type('16')
  act(() => hook.result.current.tell())
  expect(told).toEqual(['16'])
  type('167')
  hook.unmount()
  vi.runAllTimers()
  expect(told).toEqual(['16', '167'])
})

it('shows a new value of the form', () => {
  const { hook } = start(true)
  hook.rerender({ value: '44' })
  expect(hook.result.current.text).toBe('44')
})
