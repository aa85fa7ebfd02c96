import { fireEvent, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { waitForPointerRelease } from './pointer-press'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  fireEvent.pointerUp(document.body)
  vi.runAllTimers()
  vi.useRealTimers()
})

const wait = () => {
  let come = false
  void waitForPointerRelease()?.then(() => (come = true))
  return async () => {
    await Promise.resolve()
    return come
  }
}

it('does not wait while no pointer is down', () => expect(waitForPointerRelease()).toBeUndefined())

it('resolves after the click that ends the press', async () => {
  const order: string[] = []
  const { getByText, getByLabelText } = render(
    <>
      <input aria-label="Tech prefix" />
      <button onClick={() => order.push('click')}>Fold</button>
    </>,
  )
  fireEvent.pointerDown(getByText('Fold'))
  fireEvent.blur(getByLabelText('Tech prefix'))
  void waitForPointerRelease()?.then(() => order.push('message'))
  fireEvent.pointerUp(getByText('Fold'))
  fireEvent.click(getByText('Fold'))
  await vi.runAllTimersAsync()
  expect(order).toEqual(['click', 'message'])
  expect(waitForPointerRelease()).toBeUndefined()
})

it('resolves after a timeout, because the pointer may be released outside the window', async () => {
  fireEvent.pointerDown(document.body)
  const come = wait()
  await vi.advanceTimersByTimeAsync(100)
  expect(await come()).toBe(false)
  await vi.advanceTimersByTimeAsync(600)
  expect(await come()).toBe(true)
})
