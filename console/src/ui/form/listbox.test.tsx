import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { Dialog } from '../dialog/dialog'
import { FilterSelect } from '../table/filter-select'
import type { Option } from './match-options'

const statuses = ['all', 'active', 'inactive'].map((value) => ({ value, label: value }))
const accounts = Array.from({ length: 300 }, (_, index) => ({ value: String(index), label: `Account ${index}` }))

const StatusFilter = ({ options = statuses }: { options?: Option[] }) => {
  const [value, setValue] = useState(options[0]?.value ?? '')
  return <FilterSelect name="Status" value={value} options={options} onChange={setValue} inactiveValue="all" />
}

const button = () => screen.getByRole('combobox', { name: 'Status' })

describe('Listbox', () => {
  it('selects an option with the pointer', async () => {
    render(<StatusFilter />)
    await userEvent.click(button())
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['all', 'active', 'inactive'])
    await userEvent.click(screen.getByRole('option', { name: 'inactive' }))
    expect(button().textContent).toBe('Statusinactive')
    expect(screen.queryByRole('listbox')).toBeNull()
  })

  it('has a button to remove a filter in use, and keeps the focus', async () => {
    render(<StatusFilter />)
    expect(screen.queryByRole('button', { name: 'Remove filter Status' })).toBeNull()
    button().focus()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    await userEvent.click(screen.getByRole('button', { name: 'Remove filter Status' }))
    expect(button().textContent).toBe('Statusall')
    expect(document.activeElement).toBe(button())
    expect(screen.queryByRole('button', { name: 'Remove filter Status' })).toBeNull()
  })

  it('selects an option with the keys, and keeps the focus', async () => {
    render(<StatusFilter />)
    button().focus()
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    expect(button().textContent).toBe('Statusactive')
    expect(document.activeElement).toBe(button())
    await userEvent.keyboard(' i{Enter}')
    expect(button().textContent).toBe('Statusinactive')
  })

  it('marks the active option while the keys move', async () => {
    render(<StatusFilter />)
    button().focus()
    await userEvent.keyboard('{Enter}{End}')
    expect(document.getElementById(button().getAttribute('aria-activedescendant') ?? '')?.textContent).toBe('inactive')
    await userEvent.keyboard('{Escape}')
    expect(button().getAttribute('aria-expanded')).toBe('false')
    expect(button().textContent).toBe('Statusall')
  })

  it('is searchable when it is long, and renders only 100 options', async () => {
    render(<StatusFilter options={accounts} />)
    await userEvent.click(button())
    expect(screen.getAllByRole('option')).toHaveLength(100)
    screen.getByText('200 more: type to find them')
    await userEvent.keyboard('account 250{Enter}')
    expect(button().textContent).toBe('StatusAccount 250')
  })

  it('closes when it loses the focus', async () => {
    render(<StatusFilter />)
    await userEvent.click(button())
    await userEvent.tab()
    expect(screen.queryByRole('listbox')).toBeNull()
  })

  it('handles Escape before the dialog around it', async () => {
    const DialogWithFilter = () => {
      const [opened, setOpened] = useState(true)
      return (
        <Dialog opened={opened} onClose={() => setOpened(false)} title="Move">
          <StatusFilter />
        </Dialog>
      )
    }
    render(<DialogWithFilter />)
    await userEvent.click(button())
    await userEvent.keyboard('{Escape}')
    screen.getByRole('dialog', { name: 'Move' })
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
