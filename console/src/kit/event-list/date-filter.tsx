import { Suspense, useState } from 'react'
import { dateOptions, formatDateFilter } from '../../lib/call-times'
import { lazyComponent } from '../../ui/feedback/lazy-component'
import { FilterSelect } from '../../ui/table/filter-select'

const TimeRangeDialog = lazyComponent(() => import('./time-range-dialog').then((module) => module.TimeRangeDialog))

/** The option that opens the time range dialog. */
const customValue = 'custom'

export interface DateFilterProps {
  value: string
  onChange: (dateFilter: string) => void
}

/** The date filter. A selected timestamp or range appears as an additional option. */
export const DateFilter = ({ value, onChange }: DateFilterProps) => {
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
