import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { Tabs } from './tabs'

const Example = ({ keepMounted }: { keepMounted?: boolean }) => {
  const [value, setValue] = useState('voice')
  return (
    <Tabs
      label="Carrier"
      value={value}
      onChange={setValue}
      keepMounted={keepMounted}
      tabs={[
        { id: 'voice', label: 'Voice', errorCount: 2, content: <p>gateways</p> },
        { id: 'sms', label: 'SMS', content: <p>messages</p> },
      ]}
    />
  )
}

const tab = (name: RegExp) => screen.getByRole('tab', { name })

describe('Tabs', () => {
  it('shows the panel of the selected tab, and the number of fields with errors in each tab', () => {
    render(<Example />)
    expect(tab(/Voice/).getAttribute('aria-selected')).toBe('true')
    expect(tab(/Voice/).textContent).toContain('2 fields need attention')
    expect(screen.getByRole('tabpanel').textContent).toBe('gateways')
    expect(screen.queryByText('messages')).toBeNull()
  })

  it('wraps around with the arrow keys, and jumps to the ends with Home and End', async () => {
    render(<Example />)
    await userEvent.click(tab(/Voice/))
    await userEvent.keyboard('{ArrowRight}')
    expect(document.activeElement).toBe(tab(/SMS/))
    expect(screen.getByRole('tabpanel').textContent).toBe('messages')
    await userEvent.keyboard('{ArrowRight}')
    expect(document.activeElement).toBe(tab(/Voice/))
    await userEvent.keyboard('{End}')
    expect(document.activeElement).toBe(tab(/SMS/))
    await userEvent.keyboard('{Home}')
    expect(document.activeElement).toBe(tab(/Voice/))
  })

  it('keeps the fields of the other tabs mounted with `keepMounted`', () => {
    render(<Example keepMounted />)
    expect(screen.getByText('messages').closest('[role=tabpanel]')?.hasAttribute('hidden')).toBe(true)
  })
})
