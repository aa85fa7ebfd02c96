import { fireEvent, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { waitForPointerRelease } from './pointer-press'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  fireEvent.pointerUp(document.body)
  vi.runAllTimers()
  vi.useRealTimers()
})

/** Starts waiting for the pointer release. Returns a function that reports whether the wait has ended. */
const startWaiting = () => {
  let hasEnded = false
  void waitForPointerRelease()?.then(() => (hasEnded = true))
  return async () => {
    await Promise.resolve()
    return hasEnded
  }
}

it('does not wait while no pointer is down', () => expect(waitForPointerRelease()).toBeUndefined())

it('resolves after the click that ends the press', async () => {
  const events: string[] = []
  const { getByText, getByLabelText } = render(
    <>
      <input aria-label="Tech prefix" />
      <button onClick={() => events.push('click')}>Fold</button>
    </>,
  )
  fireEvent.pointerDown(getByText('Fold'))
  fireEvent.blur(getByLabelText('Tech prefix'))
  void waitForPointerRelease()?.then(() => events.push('end of wait'))
  fireEvent.pointerUp(getByText('Fold'))
  fireEvent.click(getByText('Fold'))
  await vi.runAllTimersAsync()
  expect(events).toEqual(['click', 'end of wait'])
  expect(waitForPointerRelease()).toBeUndefined()
})

it('resolves after a timeout, because the pointer may be released outside the window', async () => {
  fireEvent.pointerDown(document.body)
  const hasWaitEnded = startWaiting()
  await vi.advanceTimersByTimeAsync(100)
  expect(await hasWaitEnded()).toBe(false)
  await vi.advanceTimersByTimeAsync(600)
  expect(await hasWaitEnded()).toBe(true)
})
