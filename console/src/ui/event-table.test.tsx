import { cleanup, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { EventTable } from './event-table'

afterEach(cleanup)

interface Call {
  time: string
  from: string
}

const calls: Call[] = ['13:00', '13:05', '13:10'].map((time) => ({ time, from: `from ${time}` }))

const Calls = ({ recorded = [] }: { recorded?: string[] }) => {
  const [open, setOpen] = useState<string>()
  return (
    <EventTable
      label="Recent calls"
      columns={[
        { id: 'time', head: 'Time', cell: ({ time }) => time },
        { id: 'from', head: 'From', cell: ({ from }) => from },
        { id: 'recorded', head: 'Recorded', cell: () => null, hasContent: ({ time }) => recorded.includes(time) },
      ]}
      rows={calls}
      rowKey={({ time }) => time}
      open={open}
      onOpen={setOpen}
      detail={({ time }) => <button type="button">Play {time}</button>}
      card={({ time }) => time}
    />
  )
}

const columnNames = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)

describe('EventTable', () => {
  it('leaves out a column that is empty for all rows', () => {
    render(<Calls />)
    expect(columnNames()).toEqual(['Time', 'From'])
    cleanup()
    render(<Calls recorded={['13:05']} />)
    expect(columnNames()).toEqual(['Time', 'From', 'Recorded'])
  })
})
