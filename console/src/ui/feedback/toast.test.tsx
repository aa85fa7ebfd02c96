import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
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

const later = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds))
const say = (text: string) => act(() => void toast.ok(text))
const seen = (text: string) => screen.queryByText(text) !== null

describe('toasts', () => {
  it('disappear after five seconds', () => {
    say('Settings updated')
    later(4999)
    expect(seen('Settings updated')).toBe(true)
    later(1)
    expect(seen('Settings updated')).toBe(false)
  })

  it('stay five more seconds when another one appears', () => {
    say('User created successfully')
    later(3000)
    say('User updated successfully')
    later(4000)
    expect(seen('User created successfully')).toBe(true)
    later(1000)
    expect(seen('User created successfully')).toBe(false)
    expect(seen('User updated successfully')).toBe(false)
  })

  it('stay while the pointer or the focus is on them', () => {
    say('API key created')
    const place = screen.getByRole('region', { name: 'Notifications' })
    fireEvent.pointerMove(place, { movementX: 2, movementY: 1 })
    later(20_000)
    expect(seen('API key created')).toBe(true)
    fireEvent.pointerLeave(place)
    later(3000)
    act(() => screen.getByRole('button', { name: 'Dismiss' }).focus())
    later(20_000)
    expect(seen('API key created')).toBe(true)
    act(() => screen.getByRole('button', { name: 'Dismiss' }).blur())
    later(5000)
    expect(seen('API key created')).toBe(false)
  })

  it('disappear if the pointer only rests where they appear', () => {
    say('Account created successfully')
    fireEvent.pointerEnter(screen.getByRole('region', { name: 'Notifications' }))
    later(5000)
    expect(seen('Account created successfully')).toBe(false)
  })

  it('stay until dismissed if they require an action', () => {
    act(() => void toast.bad('Your session has expired. Please log in and try again.', { sticky: true }))
    later(60_000)
    expect(seen('Your session has expired. Please log in and try again.')).toBe(true)
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(seen('Your session has expired. Please log in and try again.')).toBe(false)
  })

  it('announce success politely and failure assertively', () => {
    say('Settings updated')
    act(() => void toast.bad('Something went wrong, please try again'))
    expect(screen.getByRole('status').textContent).toBe('Settings updated')
    expect(screen.getByRole('alert').textContent).toBe('Something went wrong, please try again')
  })

  it('show the same message once', () => {
    say('Settings updated')
    say('Settings updated')
    expect(screen.getAllByText('Settings updated')).toHaveLength(1)
  })
})
