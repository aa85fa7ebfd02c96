import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { FilterInput } from './toolbar'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const type = (text: string) =>
  fireEvent.change(screen.getByRole('searchbox', { name: 'Filter accounts' }), { target: { value: text } })

describe('FilterInput', () => {
  it('reports the text as typed', () => {
    const reportedTexts: string[] = []
    render(<FilterInput label="Filter accounts" value="" onChange={(text) => reportedTexts.push(text)} />)
    type('ACME')
    expect(reportedTexts).toEqual(['ACME'])
    screen.getByDisplayValue('ACME')
  })

  it('debounces typing, but clears immediately', () => {
    vi.useFakeTimers()
    const reportedTexts: string[] = []
    render(
      <FilterInput label="Filter accounts" value="" debounceMs={300} onChange={(text) => reportedTexts.push(text)} />,
    )
    type('A')
    act(() => void vi.advanceTimersByTime(200))
    type('Ac')
    act(() => void vi.advanceTimersByTime(299))
    expect(reportedTexts).toEqual([])
    act(() => void vi.advanceTimersByTime(1))
    expect(reportedTexts).toEqual(['Ac'])
    fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }))
    expect(reportedTexts).toEqual(['Ac', ''])
  })

  it('follows a value that changes from outside', () => {
    const FilterWithReset = () => {
      const [text, setText] = useState('acme')
      return (
        <>
          <FilterInput label="Filter accounts" value={text} onChange={setText} />
          <button onClick={() => setText('')}>Back</button>
        </>
      )
    }
    render(<FilterWithReset />)
    screen.getByDisplayValue('acme')
    type('ACMEs')
    screen.getByDisplayValue('ACMEs')
    fireEvent.click(screen.getByRole('button', { name: 'Back' }))
    screen.getByDisplayValue('')
  })
  it('does not report text that a value from outside has replaced', () => {
    vi.useFakeTimers()
    const reportedTexts: string[] = []
    const onChange = (text: string) => reportedTexts.push(text)
    const { rerender } = render(
      <FilterInput label="Filter accounts" value="acme" debounceMs={300} onChange={onChange} />,
    )
    type('acme corp')
    rerender(<FilterInput label="Filter accounts" value="" debounceMs={300} onChange={onChange} />)
    act(() => void vi.advanceTimersByTime(300))
    expect(reportedTexts).toEqual([])
    screen.getByDisplayValue('')
  })

  it('keeps text that is typed before its earlier text arrives as value', () => {
    vi.useFakeTimers()
    const reportedTexts: string[] = []
    const onChange = (text: string) => reportedTexts.push(text)
    const { rerender } = render(<FilterInput label="Filter accounts" value="" debounceMs={300} onChange={onChange} />)
    type('A')
    act(() => void vi.advanceTimersByTime(300))
    type('Ac')
    rerender(<FilterInput label="Filter accounts" value="A" debounceMs={300} onChange={onChange} />)
    act(() => void vi.advanceTimersByTime(300))
    expect(reportedTexts).toEqual(['A', 'Ac'])
  })
})
