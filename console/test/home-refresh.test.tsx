import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, render, renderHook, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { QueryPanel } from '../src/kit/record/query-panel'
import { useRefresh } from '../src/features/home/use-refresh'
import { namedQueryKey } from '../src/lib/query-keys'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Renders a screen with one query of Home and one of the frame. Counts their requests. */
const renderScreen = async () => {
  const counts = { home: 0, frame: 0 }
  const client = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  renderHook(
    () => {
      useQuery({ queryKey: namedQueryKey('live_call', 'usage', 'account', 'a'), queryFn: () => ++counts.home })
      useQuery({ queryKey: ['server', 'capabilities'], queryFn: () => ++counts.frame })
      useRefresh()
    },
    { wrapper },
  )
  await act(() => vi.advanceTimersByTimeAsync(100))
  return counts
}
const wait = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000))

describe('the refresh of Home', () => {
  it('repeats the requests of its panels every 30 seconds, and no others', async () => {
    const counts = await renderScreen()
    expect(counts).toEqual({ home: 1, frame: 1 })
    await wait(30)
    expect(counts).toEqual({ home: 2, frame: 1 })
    await wait(60)
    expect(counts).toEqual({ home: 4, frame: 1 })
  })

  it('pauses in a hidden tab', async () => {
    const counts = await renderScreen()
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await wait(90)
    expect(counts.home).toBe(1)
    visibility.mockReturnValue('visible')
    await wait(30)
    expect(counts.home).toBe(2)
  })

  it('also happens with the key r', async () => {
    const counts = await renderScreen()
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'r', bubbles: true }))
    await wait(1)
    expect(counts.home).toBe(2)
  })
})

describe('a panel that could not be loaded', () => {
  it('keeps the error in place while the request is repeated, until it succeeds', async () => {
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
    let response: () => Promise<string> = () => Promise.reject(new Error('no response'))
    const FailingPanel = () => (
      <QueryPanel
        title="Calls"
        query={useQuery<string>({ queryKey: ['panel'], queryFn: () => response() })}
        skeleton={{ rows: 1 }}
      >
        {(text) => <p>{text}</p>}
      </QueryPanel>
    )
    render(
      <QueryClientProvider client={client}>
        <FailingPanel />
      </QueryClientProvider>,
    )
    await wait(1)
    expect(screen.getByText('Something went wrong, please try again.')).toBeTruthy()
    let respond: (text: string) => void = () => undefined
    response = () => new Promise((resolve) => (respond = resolve))
    act(() => void client.refetchQueries({ queryKey: ['panel'] }))
    await wait(1)
    expect(screen.getByText('Something went wrong, please try again.')).toBeTruthy()
    respond('3 calls')
    await wait(1)
    expect(screen.getByText('3 calls')).toBeTruthy()
    expect(screen.queryByText('Something went wrong, please try again.')).toBeNull()
  })
})
