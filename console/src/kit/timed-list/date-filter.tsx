import { Suspense, useState } from 'react'
import { formatDateFilter } from '../../lib/call-times'
import { lazyComponent } from '../../ui/feedback/lazy-component'
import { FilterSelect } from '../../ui/table/filter-select'
import type { TimedFilter } from './use-timed-list'

const TimeRangeDialog = lazyComponent(() => import('./time-range-dialog').then((module) => module.TimeRangeDialog))

/** The option that opens the time range dialog. */
const customValue = 'custom'

export interface DateFilterProps {
  value: string
  dateOptions: TimedFilter['options']
  onChange: (dateFilter: string) => void
}

/** The date filter. A selected timestamp or range appears as an additional option. */
export const DateFilter = ({ value, dateOptions, onChange }: DateFilterProps) => {
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const label = formatDateFilter(value)
  const options = [...dateOptions, ...(label ? [{ value, label }] : []), { value: customValue, label: 'choose times…' }]
  return (
    <>
      <FilterSelect
        name="Date"
        value={value}
        inactiveValue=""
        options={options}
        searchable={false}
        onChange={(dateFilter) => (dateFilter === customValue ? setIsDialogOpen(true) : onChange(dateFilter))}
      />
      {isDialogOpen ? (
        <Suspense>
          <TimeRangeDialog dateFilter={value} onChange={onChange} onClose={() => setIsDialogOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
