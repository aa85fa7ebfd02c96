import { ChevronDown } from 'lucide-react'
import { useBound } from '../../fields/use-bound-field'
import { asNumber } from '../../fields/parse-number'
import { asText } from '../../fields/use-typed-field'
import css from './gateway-table.module.css'

/** The props of an input in a gateway row. Inputs have no visible label and share the row's error message. */
export interface CellProps {
  name: string
  label: string
  placeholder?: string
  /** The id of the row's error message. */
  describedBy: string | undefined
  onChanged: () => void
  readOnly: boolean
  /** The gateway does not use this value: shows a dash. */
  without?: boolean
}

const useCell = (props: CellProps) => {
  const { field, value, error } = useBound({ name: props.name, label: props.label })
  const change = (next: unknown) => {
    field.onChange(next)
    props.onChanged()
  }
  const facts = {
    name: field.name,
    ref: field.ref,
    'aria-label': props.label,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': props.describedBy,
  } as const
  return { value, change, onBlur: field.onBlur, facts }
}

export const TextCell = ({ onLeft, ...props }: CellProps & { onLeft?: () => void }) => {
  const { value, change, onBlur, facts } = useCell(props)
  return (
    <input
      {...facts}
      className={css.input}
      value={asText(value)}
      placeholder={props.readOnly ? undefined : props.placeholder}
      readOnly={props.readOnly}
      maxLength={128}
      autoComplete="off"
      spellCheck={false}
      aria-required="true"
      onChange={(event) => change(event.currentTarget.value)}
      onBlur={() => {
        onLeft?.()
        onBlur()
      }}
      // Enter saves without blurring the field first
      onKeyDown={(event) => (event.key === 'Enter' ? onLeft?.() : undefined)}
    />
  )
}

export const NumberCell = ({ onClick, ...props }: CellProps & { onClick?: (input: HTMLInputElement) => void }) => {
  const { value, change, onBlur, facts } = useCell(props)
  return (
    <input
      {...facts}
      className={css.input}
      value={props.without ? '' : asText(value)}
      placeholder={props.without ? '–' : props.readOnly ? undefined : props.placeholder}
      disabled={props.without}
      readOnly={props.readOnly}
      inputMode="numeric"
      autoComplete="off"
      onChange={(event) => change(asNumber(event.currentTarget.value))}
      // on click the browser has already placed the cursor, on focus it has not
      onClick={onClick && ((event) => onClick(event.currentTarget))}
      onBlur={onBlur}
    />
  )
}

export const ProtocolCell = ({ options, ...props }: CellProps & { options: readonly string[] }) => {
  const { value, change, onBlur, facts } = useCell(props)
  return (
    <span className={css.list}>
      <select
        {...facts}
        className={css.input}
        value={props.without ? '' : asText(value)}
        disabled={props.without || props.readOnly}
        onChange={(event) => change(event.currentTarget.value)}
        onBlur={onBlur}
      >
        {props.without ? <option value="">–</option> : null}
        {options.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      <ChevronDown size={12} strokeWidth={2.25} aria-hidden="true" />
    </span>
  )
}

export const TickCell = (props: CellProps) => {
  const { value, change, onBlur, facts } = useCell(props)
  return (
    <label className={css.tick}>
      <input
        {...facts}
        type="checkbox"
        checked={Boolean(value) && !props.without}
        disabled={props.readOnly || props.without}
        onChange={(event) => change(event.currentTarget.checked ? 1 : 0)}
        onBlur={onBlur}
      />
      <span aria-hidden="true">{props.label}</span>
    </label>
  )
}
