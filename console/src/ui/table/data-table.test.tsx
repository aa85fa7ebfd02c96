import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { DataTable } from './data-table'
import type { Column, Sort } from './table-props'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

interface Row {
  sid: string
  name: string
  realm: string
}

const rows: Row[] = ['Acme', 'Bluewater', 'Copperline'].map((name) => ({ sid: name, name, realm: `${name}.example` }))

const columns: Column<Row>[] = [
  { id: 'name', head: 'Name', cell: (row) => row.name, sortable: true },
  { id: 'realm', head: 'SIP realm', cell: (row) => row.realm, mono: true },
  { id: 'note', head: 'Note', cell: (row) => <input aria-label={`Note on ${row.name}`} /> },
]

const Accounts = () => {
  const [sort, setSort] = useState<Sort>({ by: 'name', desc: false })
  const [selectedKeys, setSelectedKeys] = useState(new Set<string>())
  return (
    <DataTable
      label="Accounts"
      columns={columns}
      rows={rows}
      rowKey={(row) => row.sid}
      rowName={(row) => row.name}
      rowHref={(row) => `/accounts/${row.sid}`}
      sort={sort}
      onSort={setSort}
      selection={{ selected: selectedKeys, onChange: setSelectedKeys, canSelect: (row) => row.name !== 'Copperline' }}
    />
  )
}

describe('DataTable', () => {
  it('links the first column to the record', () => {
    render(<Accounts />)
    expect(screen.getByRole('link', { name: 'Acme' }).getAttribute('href')).toBe('/accounts/Acme')
    expect(within(screen.getByRole('region', { name: 'Accounts' })).getAllByRole('row')).toHaveLength(4)
  })

  it('marks the sorted column, and reverses the order on click', async () => {
    render(<Accounts />)
    const head = screen.getByRole('columnheader', { name: 'Name' })
    expect(head.getAttribute('aria-sort')).toBe('ascending')
    await userEvent.click(within(head).getByRole('button'))
    expect(head.getAttribute('aria-sort')).toBe('descending')
    expect(screen.getByRole('columnheader', { name: 'SIP realm' }).hasAttribute('aria-sort')).toBe(false)
  })

  it('selects rows one by one, and all selectable rows together', async () => {
    render(<Accounts />)
    const selectAllBox = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all on this page' })
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select Acme' }))
    expect(selectAllBox.indeterminate).toBe(true)
    await userEvent.click(selectAllBox)
    expect(selectAllBox.checked).toBe(true)
    expect(screen.queryByRole('checkbox', { name: 'Select Copperline' })).toBeNull()
    await userEvent.click(selectAllBox)
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select Acme' }).checked).toBe(false)
  })

  const link = (name: string) => screen.getByRole('link', { name })
  const box = (name: string) => screen.getByRole('checkbox', { name: `Select ${name}` })
  const getFocused = () => document.activeElement

  it('moves the focus from row to row with the arrow keys, Home and End', async () => {
    render(<Accounts />)
    link('Acme').focus()
    await userEvent.keyboard('{ArrowDown}')
    expect(getFocused()).toBe(link('Bluewater'))
    await userEvent.keyboard('{End}')
    expect(getFocused()).toBe(link('Copperline'))
    await userEvent.keyboard('{ArrowDown}')
    expect(getFocused()).toBe(link('Copperline'))
    await userEvent.keyboard('{ArrowUp}')
    expect(getFocused()).toBe(link('Bluewater'))
    await userEvent.keyboard('{Home}')
    expect(getFocused()).toBe(link('Acme'))
  })

  it('keeps the focus in its column, so that Space ticks row after row', async () => {
    render(<Accounts />)
    box('Acme').focus()
    await userEvent.keyboard(' {ArrowDown} ')
    expect(getFocused()).toBe(box('Bluewater'))
    expect([box('Acme'), box('Bluewater')].map((checkbox) => (checkbox as HTMLInputElement).checked)).toEqual([
      true,
      true,
    ])
    // this row has no checkbox
    await userEvent.keyboard('{ArrowDown}')
    expect(getFocused()).toBe(link('Copperline'))
  })

  it('leaves the keys to a text input and to the region', async () => {
    render(<Accounts />)
    for (const element of [screen.getByLabelText('Note on Acme'), screen.getByRole('region', { name: 'Accounts' })]) {
      element.focus()
      await userEvent.keyboard('{ArrowDown}{End}')
      expect(getFocused()).toBe(element)
    }
    link('Acme').focus()
    await userEvent.keyboard('{Control>}{End}{/Control}')
    expect(getFocused()).toBe(link('Acme'))
  })

  it('moves between the cards of a narrow window', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: vi.fn(), removeEventListener: vi.fn() }))
    render(<Accounts />)
    expect(screen.queryByRole('table')).toBeNull()
    link('Acme').focus()
    await userEvent.keyboard('{ArrowDown}')
    expect(getFocused()).toBe(link('Bluewater'))
  })
})
