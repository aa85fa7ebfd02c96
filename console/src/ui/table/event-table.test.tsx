import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { EventTable } from './event-table'

afterEach(cleanup)

interface Call {
  time: string
  from: string
}

const calls: Call[] = ['13:00', '13:05', '13:10'].map((time) => ({ time, from: `from ${time}` }))

const Calls = ({ timesWithRecording = [] }: { timesWithRecording?: string[] }) => {
  const [openKey, setOpenKey] = useState<string>()
  return (
    <EventTable
      label="Recent calls"
      columns={[
        { id: 'time', head: 'Time', cell: ({ time }) => time },
        { id: 'from', head: 'From', cell: ({ from }) => from },
        {
          id: 'recorded',
          head: 'Recorded',
          cell: () => null,
          hasContent: ({ time }) => timesWithRecording.includes(time),
        },
      ]}
      rows={calls}
      rowKey={({ time }) => time}
      openKey={openKey}
      onOpen={setOpenKey}
      detail={({ time }) => <button type="button">Play {time}</button>}
      card={({ time }) => time}
    />
  )
}

const columnNames = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)

const row = (time: string) => screen.getByRole('button', { name: time })
const getFocused = () => document.activeElement

describe('EventTable', () => {
  it('moves the focus from row to row, past the content of an open row', async () => {
    render(<Calls />)
    row('13:00').focus()
    await userEvent.keyboard('{Enter}{ArrowDown}')
    expect(getFocused()).toBe(row('13:05'))
    await userEvent.keyboard('{ArrowUp}')
    expect(getFocused()).toBe(row('13:00'))
    await userEvent.keyboard('{End}')
    expect(getFocused()).toBe(row('13:10'))
    await userEvent.keyboard('{Home}')
    expect(getFocused()).toBe(row('13:00'))
  })

  it('leaves the keys to the content of an open row', async () => {
    render(<Calls />)
    row('13:00').focus()
    await userEvent.keyboard('{Enter}')
    screen.getByRole('button', { name: 'Play 13:00' }).focus()
    await userEvent.keyboard('{ArrowDown}{End}')
    expect(getFocused()).toBe(screen.getByRole('button', { name: 'Play 13:00' }))
  })

  it('closes the open row with Escape and focuses it', async () => {
    render(<Calls />)
    row('13:05').focus()
    await userEvent.keyboard('{Enter}')
    screen.getByRole('button', { name: 'Play 13:05' }).focus()
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('button', { name: 'Play 13:05' })).toBeNull()
    expect(getFocused()).toBe(row('13:05'))
  })

  it('leaves out a column that is empty for all rows', () => {
    render(<Calls />)
    expect(columnNames()).toEqual(['Time', 'From'])
    cleanup()
    render(<Calls timesWithRecording={['13:05']} />)
    expect(columnNames()).toEqual(['Time', 'From', 'Recorded'])
  })

  it('opens once when double-clicked', async () => {
    render(<Calls />)
    await userEvent.dblClick(row('13:05'))
    expect(row('13:05').getAttribute('aria-expanded')).toBe('true')
  })
})
