import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { DataTable, type Column, type Sort } from './data-table'

afterEach(cleanup)

interface Row {
  sid: string
  name: string
  realm: string
}

const rows: Row[] = ['Acme', 'Bluewater', 'Copperline'].map((name) => ({ sid: name, name, realm: `${name}.example` }))

const columns: Column<Row>[] = [
  { id: 'name', head: 'Name', cell: (row) => row.name, sortable: true },
  { id: 'realm', head: 'SIP realm', cell: (row) => row.realm, mono: true },
]

const Accounts = () => {
  const [sort, setSort] = useState<Sort>({ by: 'name', desc: false })
  const [chosen, setChosen] = useState(new Set<string>())
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
      selection={{ chosen, onChange: setChosen, can: (row) => row.name !== 'Copperline' }}
    />
  )
}

describe('DataTable', () => {
  it('is a table whose first column leads to the record', () => {
    render(<Accounts />)
    expect(screen.getByRole('link', { name: 'Acme' }).getAttribute('href')).toBe('/accounts/Acme')
    expect(within(screen.getByRole('region', { name: 'Accounts' })).getAllByRole('row')).toHaveLength(4)
  })

  it('says by what it is sorted, and turns about', async () => {
    render(<Accounts />)
    const head = screen.getByRole('columnheader', { name: 'Name' })
    expect(head.getAttribute('aria-sort')).toBe('ascending')
    await userEvent.click(within(head).getByRole('button'))
    expect(head.getAttribute('aria-sort')).toBe('descending')
    expect(screen.getByRole('columnheader', { name: 'SIP realm' }).hasAttribute('aria-sort')).toBe(false)
  })

  it('chooses rows one by one and all that can be chosen', async () => {
    render(<Accounts />)
    const all = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all on this page' })
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select Acme' }))
    expect(all.indeterminate).toBe(true)
    await userEvent.click(all)
    expect(all.checked).toBe(true)
    expect(screen.queryByRole('checkbox', { name: 'Select Copperline' })).toBeNull()
    await userEvent.click(all)
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select Acme' }).checked).toBe(false)
  })
})
