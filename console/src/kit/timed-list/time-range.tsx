import { useState } from 'react'
import { formatTimestamp, parseSince, parseTimeRange, serializeTimeRange, toTimeQuery } from '../../lib/call-times'
import { FormDialog } from '../../ui/dialog/form-dialog'
import { TextField } from '../../ui/form/text-field'

export interface TimeRangeDialogProps {
  /** The selected date option or range. */
  date: string
  onChange: (date: string) => void
  onClose: () => void
}

/** Formats a date for a datetime-local input: '2026-11-21T13:00'. */
const inputText = (moment: Date | undefined) =>
  moment ? formatTimestamp(moment.toISOString()).slice(0, 16).replace(' ', 'T') : ''

const beginningOf = (date: string): Date => {
  const { start, days } = toTimeQuery(date)
  return start ? new Date(start) : new Date(Date.now() - (days ?? 0) * 86_400_000)
}

/** The dialog for the start and end of a time range. Without an end, the range extends to the present. */
export const TimeRangeDialog = ({ date, onChange, onClose }: TimeRangeDialogProps) => {
  const [from, setFrom] = useState(() => inputText(parseSince(date) ?? beginningOf(date)))
  const [to, setTo] = useState(() => inputText(parseTimeRange(date)?.to))
  const [checked, setChecked] = useState(false)
  const [start, end] = [new Date(from), new Date(to)]
  const missing = Number.isNaN(start.getTime()) ? 'Choose a date and time.' : undefined
  const reversed = to && end <= start ? 'Choose a time after the start.' : undefined
  return (
    <FormDialog
      opened
      title="Choose times"
      submit="Apply"
      pending={false}
      error={undefined}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        setChecked(true)
        if (missing || reversed) return
        onChange(to ? serializeTimeRange({ from: start, to: end }) : `${start.toISOString()}/now`)
        onClose()
      }}
    >
      <TextField
        label="From"
        type="datetime-local"
        value={from}
        required
        {...(checked && missing ? { error: missing } : {})}
        onChange={({ currentTarget }) => setFrom(currentTarget.value)}
      />
      <TextField
        label="To"
        type="datetime-local"
        value={to}
        help="Leave empty to include everything until now."
        {...(checked && !missing && reversed ? { error: reversed } : {})}
        onChange={({ currentTarget }) => setTo(currentTarget.value)}
      />
    </FormDialog>
  )
}
