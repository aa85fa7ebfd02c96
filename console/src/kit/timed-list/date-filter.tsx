import { Suspense, useState } from 'react'
import { formatDateFilter } from '../../lib/call-times'
import { lazyComponent } from '../../ui/feedback/lazy-component'
import { FilterSelect } from '../../ui/table/filter-select'
import type { TimedFilter } from './use-timed-list'

const TimeRangeDialog = lazyComponent(() => import('./time-range').then((it) => it.TimeRangeDialog))

/** The option that opens the time range dialog. */
const custom = 'custom'

export interface DateFilterProps {
  value: string
  dates: TimedFilter['options']
  onChange: (date: string) => void
}

/** The date filter. A selected timestamp or range appears as an additional option. */
export const DateFilter = ({ value, dates, onChange }: DateFilterProps) => {
  const [asking, setAsking] = useState(false)
  const label = formatDateFilter(value)
  const options = [...dates, ...(label ? [{ value, label }] : []), { value: custom, label: 'choose times…' }]
  return (
    <>
      <FilterSelect
        name="Date"
        value={value}
        inactiveValue=""
        options={options}
        searchable={false}
        onChange={(date) => (date === custom ? setAsking(true) : onChange(date))}
      />
      {asking ? (
        <Suspense>
          <TimeRangeDialog date={value} onChange={onChange} onClose={() => setAsking(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
