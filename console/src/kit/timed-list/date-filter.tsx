import { Suspense, useState } from 'react'
import { sayDate } from '../../lib/call-times'
import { late } from '../../ui/feedback/lazy-component'
import { Pick } from '../../ui/table/filter-select'
import type { TimedPick } from './use-timed-list'

const TimeRange = late(() => import('./time-range').then((it) => it.TimeRange))

/** The option that opens the time range dialog. */
const custom = 'custom'

export interface DatePickProps {
  value: string
  dates: TimedPick['options']
  onChange: (date: string) => void
}

/** The date filter. A selected timestamp or range appears as an additional option. */
export const DatePick = ({ value, dates, onChange }: DatePickProps) => {
  const [asking, setAsking] = useState(false)
  const label = sayDate(value)
  const options = [...dates, ...(label ? [{ value, label }] : []), { value: custom, label: 'choose times…' }]
  return (
    <>
      <Pick
        name="Date"
        value={value}
        rest=""
        options={options}
        searchable={false}
        onChange={(date) => (date === custom ? setAsking(true) : onChange(date))}
      />
      {asking ? (
        <Suspense>
          <TimeRange date={value} onChange={onChange} onClose={() => setAsking(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
