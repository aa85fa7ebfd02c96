import { useState } from 'react'
import {
  formatTimestamp,
  parseOpenRangeStart,
  parseTimeRange,
  serializeOpenRange,
  serializeTimeRange,
  toTimeQuery,
} from '../../lib/call-times'
import { FormDialog } from '../../ui/dialog/form-dialog'
import { TextField } from '../../ui/form/text-field'

export interface TimeRangeDialogProps {
  /** The selected filter: a date option ('', 'yesterday', '7'), or ISO timestamps as `from/to` or `from/now`. */
  dateFilter: string
  onChange: (dateFilter: string) => void
  onClose: () => void
}

const dayMs = 86_400_000

/** Formats a date for a datetime-local input: '2026-11-21T13:00'. */
const toInputValue = (date: Date | undefined) =>
  date ? formatTimestamp(date.toISOString()).slice(0, 16).replace(' ', 'T') : ''

/** The start of the time that a date filter covers. */
const startOf = (dateFilter: string): Date => {
  const { start, days } = toTimeQuery(dateFilter)
  return start ? new Date(start) : new Date(Date.now() - (days ?? 0) * dayMs)
}

/** The dialog for the start and end of a time range. Without an end, the range extends to the present. */
export const TimeRangeDialog = ({ dateFilter, onChange, onClose }: TimeRangeDialogProps) => {
  const [from, setFrom] = useState(() => toInputValue(parseOpenRangeStart(dateFilter) ?? startOf(dateFilter)))
  const [to, setTo] = useState(() => toInputValue(parseTimeRange(dateFilter)?.to))
  const [isSubmitted, setIsSubmitted] = useState(false)
  const [start, end] = [new Date(from), new Date(to)]
  const startError = Number.isNaN(start.getTime()) ? 'Choose a date and time.' : undefined
  const endError = to && end <= start ? 'Choose a time after the start.' : undefined
  return (
    <FormDialog
      opened
      title="Choose times"
      submitLabel="Apply"
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        setIsSubmitted(true)
        if (startError || endError) return
        onChange(to ? serializeTimeRange({ from: start, to: end }) : serializeOpenRange(start))
        onClose()
      }}
    >
      <TextField
        label="From"
        type="datetime-local"
        value={from}
        required
        {...(isSubmitted && startError ? { error: startError } : {})}
        onChange={({ currentTarget }) => setFrom(currentTarget.value)}
      />
      <TextField
        label="To"
        type="datetime-local"
        value={to}
        help="Leave empty to include everything until now."
        {...(isSubmitted && !startError && endError ? { error: endError } : {})}
        onChange={({ currentTarget }) => setTo(currentTarget.value)}
      />
    </FormDialog>
  )
}
