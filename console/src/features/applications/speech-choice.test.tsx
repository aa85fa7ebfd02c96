import { act, cleanup, renderHook } from '@testing-library/react'
import type { Catalogue } from '@trunkline/contract/speech/catalogue'
import type { ReactNode } from 'react'
import { FormProvider, useForm, useFormContext } from 'react-hook-form'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useDependentColumns } from './speech-choice'
import { useIsChoiceStable } from './use-is-choice-stable'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const FormWrapper = ({ children }: { children: ReactNode }) => <FormProvider {...useForm()}>{children}</FormProvider>
const advanceTime = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

it('requests the catalogue of a vendor 200 ms after the last selection, and none for vendors selected before it', async () => {
  const fetchCatalogue = vi.fn((_vendor: string, _label: string): Promise<Catalogue | null> => Promise.resolve(null))
  const filledVendors: string[] = []
  const { result } = renderHook(() => useDependentColumns(fetchCatalogue), { wrapper: FormWrapper })
  const selectVendor = (vendor: string) =>
    void result.current.fillFromCatalogue(vendor, '', () => {
      filledVendors.push(vendor)
      return {}
    })
  selectVendor('google')
  await advanceTime(199)
  selectVendor('aws')
  await advanceTime(199)
  expect(fetchCatalogue).not.toHaveBeenCalled()
  await advanceTime(1)
  expect(fetchCatalogue.mock.calls).toEqual([['aws', '']])
  expect(filledVendors).toEqual(['aws'])
  selectVendor('ibm')
  result.current.cancelFill()
  await advanceTime(1_000)
  expect(fetchCatalogue).toHaveBeenCalledTimes(1)
})

it('fills in nothing after the component was unmounted', async () => {
  const getColumns = vi.fn(() => ({}))
  const { result, unmount } = renderHook(() => useDependentColumns(() => Promise.resolve(null)), {
    wrapper: FormWrapper,
  })
  void result.current.fillFromCatalogue('google', '', getColumns)
  unmount()
  await advanceTime(1_000)
  expect(getColumns).not.toHaveBeenCalled()
})

const renderIsChoiceStable = () =>
  renderHook(({ vendor, label }) => useIsChoiceStable(vendor, label), { initialProps: { vendor: 'google', label: '' } })

it('reports a stable choice 200 ms after vendor or label changed', async () => {
  const { result, rerender } = renderIsChoiceStable()
  expect(result.current).toBe(true)
  for (const choice of [
    { vendor: 'aws', label: '' },
    { vendor: 'aws', label: 'eu' },
  ]) {
    rerender(choice)
    await advanceTime(199)
    expect(result.current).toBe(false)
    await advanceTime(1)
    expect(result.current).toBe(true)
  }
})

it('does not wait for vendors without a catalogue', () => {
  const { result, rerender } = renderIsChoiceStable()
  rerender({ vendor: 'custom:Voice Mill', label: '' })
  expect(result.current).toBe(true)
})

it('keeps required-field errors that appeared while the catalogue was loading, unless the catalogue fills the field', async () => {
  const requiredError = { type: 'required', message: 'missing' }
  const { result } = renderHook(
    () => {
      const { setError, formState } = useFormContext()
      return {
        fillFromCatalogue: useDependentColumns(() => Promise.resolve(null)).fillFromCatalogue,
        setError,
        errors: formState.errors,
      }
    },
    { wrapper: FormWrapper },
  )
  void result.current.fillFromCatalogue('google', '', () => ({
    speech_synthesis_language: '',
    speech_synthesis_voice: 'Rachel',
  }))
  act(() => {
    result.current.setError('speech_synthesis_language', requiredError)
    result.current.setError('speech_synthesis_voice', requiredError)
  })
  expect(Object.keys(result.current.errors)).toEqual(['speech_synthesis_language', 'speech_synthesis_voice'])
  await advanceTime(1_000)
  expect(Object.keys(result.current.errors)).toEqual(['speech_synthesis_language'])
})
