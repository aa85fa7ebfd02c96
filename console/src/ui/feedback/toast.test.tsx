import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { addRequestId } from '@trunkline/contract/messages/request-id'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { clearToasts, toast, Toasts } from './toast'

beforeEach(() => {
  vi.useFakeTimers()
  render(<Toasts />)
})

afterEach(() => {
  act(clearToasts)
  cleanup()
  vi.useRealTimers()
})

const advance = (durationMs: number) => act(() => void vi.advanceTimersByTime(durationMs))
const showToast = (text: string) => act(() => void toast.ok(text))
const isShown = (text: string) => screen.queryByText(text) !== null

describe('toasts', () => {
  it('disappear after five seconds', () => {
    showToast('Settings updated')
    advance(4999)
    expect(isShown('Settings updated')).toBe(true)
    advance(1)
    expect(isShown('Settings updated')).toBe(false)
  })

  it('stay five more seconds when another one appears', () => {
    showToast('User created successfully')
    advance(3000)
    showToast('User updated successfully')
    advance(4000)
    expect(isShown('User created successfully')).toBe(true)
    advance(1000)
    expect(isShown('User created successfully')).toBe(false)
    expect(isShown('User updated successfully')).toBe(false)
  })

  it('stay while the pointer or the focus is on them', () => {
    showToast('API key created')
    const region = screen.getByRole('region', { name: 'Notifications' })
    fireEvent.pointerMove(region, { movementX: 2, movementY: 1 })
    advance(20_000)
    expect(isShown('API key created')).toBe(true)
    fireEvent.pointerLeave(region)
    advance(3000)
    act(() => screen.getByRole('button', { name: 'Dismiss' }).focus())
    advance(20_000)
    expect(isShown('API key created')).toBe(true)
    act(() => screen.getByRole('button', { name: 'Dismiss' }).blur())
    advance(5000)
    expect(isShown('API key created')).toBe(false)
  })

  it('disappear if the pointer only rests where they appear', () => {
    showToast('Account created successfully')
    const region = screen.getByRole('region', { name: 'Notifications' })
    fireEvent.pointerEnter(region)
    // browsers report a movement of 0 when an element appears under the pointer
    fireEvent.pointerMove(region, { movementX: 0, movementY: 0 })
    advance(5000)
    expect(isShown('Account created successfully')).toBe(false)
  })

  it('disappear when dismissed', () => {
    showToast('Settings updated')
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(isShown('Settings updated')).toBe(false)
  })

  it('are removed oldest first if there are more than four', () => {
    const texts = ['Message 1', 'Message 2', 'Message 3', 'Message 4', 'Message 5']
    texts.forEach(showToast)
    expect(texts.map(isShown)).toEqual([false, true, true, true, true])
  })

  it('announce success politely and failure assertively', () => {
    showToast('Settings updated')
    act(() => void toast.bad('Something went wrong, please try again'))
    expect(screen.getByRole('status').textContent).toBe('Settings updated')
    expect(screen.getByRole('alert').textContent).toBe('Something went wrong, please try again')
  })

  it('show the same message once', () => {
    showToast('Settings updated')
    showToast('Settings updated')
    expect(screen.getAllByText('Settings updated')).toHaveLength(1)
  })

  it('show the ID of the failed request with a button that copies it', () => {
    act(() => void toast.bad(addRequestId('Busy, try again.', 'id-1')))
    expect(screen.getByText('Busy, try again.')).toBeTruthy()
    expect(screen.getByText('Request ID id-1')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Copy request ID' })).toBeTruthy()
  })

  it('replace an earlier toast with the same message about another request', () => {
    act(() => void toast.bad(addRequestId('Busy, try again.', 'id-1')))
    act(() => void toast.bad(addRequestId('Busy, try again.', 'id-2')))
    expect(screen.getAllByText('Busy, try again.')).toHaveLength(1)
    expect(screen.getByText('Request ID id-2')).toBeTruthy()
  })
})
