import { cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { NumberText } from './number-text'

afterEach(cleanup)

/** The text that a copy of the selection puts on the clipboard; undefined where the browser copies as usual. */
const copied = (element: HTMLElement) => {
  const data = new Map<string, string>()
  const event = createEvent.copy(element, {
    clipboardData: { setData: (type: string, text: string) => data.set(type, text) },
  })
  fireEvent(element, event)
  return event.defaultPrevented ? data.get('text/plain') : undefined
}

describe('NumberText', () => {
  it('selects the whole number with a double click, and copies it in E.164', async () => {
    render(<NumberText number="13125550106" />)
    const number = screen.getByText('(312) 555-0106')
    await userEvent.dblClick(number)
    expect(window.getSelection()?.toString()).toBe('(312) 555-0106')
    expect(copied(number)).toBe('+13125550106')
  })

  it('leaves a selection of several cells as it is', () => {
    render(
      <p>
        <NumberText number="13125550106" /> <NumberText number="13125550107" />
      </p>,
    )
    const number = screen.getByText('(312) 555-0106')
    window.getSelection()?.selectAllChildren(number.parentElement!)
    expect(copied(number)).toBeUndefined()
  })
})
