import { cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { PhoneNumberText } from './phone-number'

afterEach(cleanup)

/** The text that copying the selection puts on the clipboard; undefined if the browser's default applies. */
const copyFrom = (element: HTMLElement) => {
  const data = new Map<string, string>()
  const event = createEvent.copy(element, {
    clipboardData: { setData: (type: string, text: string) => data.set(type, text) },
  })
  fireEvent(element, event)
  return event.defaultPrevented ? data.get('text/plain') : undefined
}

describe('PhoneNumberText', () => {
  it('selects the whole number on double click, and copies it in E.164', async () => {
    render(<PhoneNumberText number="13125550106" />)
    const number = screen.getByText('(312) 555-0106')
    await userEvent.dblClick(number)
    expect(window.getSelection()?.toString()).toBe('(312) 555-0106')
    expect(copyFrom(number)).toBe('+13125550106')
  })

  it('leaves copying a selection of several cells to the browser', () => {
    render(
      <p>
        <PhoneNumberText number="13125550106" /> <PhoneNumberText number="13125550107" />
      </p>,
    )
    const number = screen.getByText('(312) 555-0106')
    window.getSelection()?.selectAllChildren(number.parentElement!)
    expect(copyFrom(number)).toBeUndefined()
  })
})
