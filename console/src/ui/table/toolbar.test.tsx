import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { FilterInput } from './toolbar'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const typed = (text: string) =>
  fireEvent.change(screen.getByRole('searchbox', { name: 'Filter accounts' }), { target: { value: text } })

describe('FilterInput', () => {
  it('reports the text in lower case, and shows it as typed', () => {
    const told: string[] = []
    render(<FilterInput label="Filter accounts" value="" onChange={(text) => told.push(text)} />)
    typed('ACME')
    expect(told).toEqual(['acme'])
    screen.getByDisplayValue('ACME')
  })

  it('debounces typing, but clears at once', () => {
    vi.useFakeTimers()
    const told: string[] = []
    render(<FilterInput label="Filter accounts" value="" debounce={300} onChange={(text) => told.push(text)} />)
    typed('A')
    act(() => void vi.advanceTimersByTime(200))
    typed('Ac')
    act(() => void vi.advanceTimersByTime(299))
    expect(told).toEqual([])
    act(() => void vi.advanceTimersByTime(1))
    expect(told).toEqual(['ac'])
    fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }))
    expect(told).toEqual(['ac', ''])
  })

  it('follows a value that changes from outside', () => {
    const Outside = () => {
      const [text, setText] = useState('acme')
      return (
        <>
          <FilterInput label="Filter accounts" value={text} onChange={setText} />
          <button onClick={() => setText('')}>Back</button>
        </>
      )
    }
    render(<Outside />)
    screen.getByDisplayValue('acme')
    typed('ACMEs')
    screen.getByDisplayValue('ACMEs')
    fireEvent.click(screen.getByRole('button', { name: 'Back' }))
    screen.getByDisplayValue('')
  })
})
