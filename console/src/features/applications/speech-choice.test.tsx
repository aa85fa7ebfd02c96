import { act, cleanup, renderHook } from '@testing-library/react'
import type { Catalogue } from '@trunkline/contract/speech/catalogue'
import type { ReactNode } from 'react'
import { FormProvider, useForm, useFormContext } from 'react-hook-form'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useFollow } from './speech-choice'
import { useSettled } from './use-is-choice-stable'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const InForm = ({ children }: { children: ReactNode }) => <FormProvider {...useForm()}>{children}</FormProvider>
const after = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

it('requests the lists of a vendor 200 ms after the last choice, and skips vendors passed on the way', async () => {
  const ask = vi.fn((_vendor: string, _label: string): Promise<Catalogue | null> => Promise.resolve(null))
  const filled: string[] = []
  const { result } = renderHook(() => useFollow(ask), { wrapper: InForm })
  const choose = (vendor: string) =>
    void result.current.follow(vendor, '', () => {
      filled.push(vendor)
      return {}
    })
  choose('google')
  await after(199)
  choose('aws')
  await after(199)
  expect(ask).not.toHaveBeenCalled()
  await after(1)
  expect(ask.mock.calls).toEqual([['aws', '']])
  expect(filled).toEqual(['aws'])
  choose('ibm')
  result.current.stop()
  await after(1_000)
  expect(ask).toHaveBeenCalledTimes(1)
})

it('fills in nothing after the component was unmounted', async () => {
  const fill = vi.fn(() => ({}))
  const { result, unmount } = renderHook(() => useFollow(() => Promise.resolve(null)), { wrapper: InForm })
  void result.current.follow('google', '', fill)
  unmount()
  await after(1_000)
  expect(fill).not.toHaveBeenCalled()
})

const renderSettled = () =>
  renderHook(({ vendor, label }) => useSettled(vendor, label), { initialProps: { vendor: 'google', label: '' } })

it('waits 200 ms after a choice of vendor or label before it requests the lists', async () => {
  const { result, rerender } = renderSettled()
  expect(result.current).toBe(true)
  for (const choice of [
    { vendor: 'aws', label: '' },
    { vendor: 'aws', label: 'eu' },
  ]) {
    rerender(choice)
    await after(199)
    expect(result.current).toBe(false)
    await after(1)
    expect(result.current).toBe(true)
  }
})

it('does not wait for vendors without lists', () => {
  const { result, rerender } = renderSettled()
  rerender({ vendor: 'custom:Voice Mill', label: '' })
  expect(result.current).toBe(true)
})

it('keeps required-field errors that appeared while the lists were loading, unless the lists fill the field in', async () => {
  const missing = { type: 'required', message: 'missing' }
  const { result } = renderHook(
    () => {
      const { setError, formState } = useFormContext()
      return { follow: useFollow(() => Promise.resolve(null)).follow, setError, errors: formState.errors }
    },
    { wrapper: InForm },
  )
  void result.current.follow('google', '', () => ({ speech_synthesis_language: '', speech_synthesis_voice: 'Rachel' }))
  act(() => {
    result.current.setError('speech_synthesis_language', missing)
    result.current.setError('speech_synthesis_voice', missing)
  })
  expect(Object.keys(result.current.errors)).toEqual(['speech_synthesis_language', 'speech_synthesis_voice'])
  await after(1_000)
  expect(Object.keys(result.current.errors)).toEqual(['speech_synthesis_language'])
})
