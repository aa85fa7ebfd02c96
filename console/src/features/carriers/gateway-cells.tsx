import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useBoundField } from '../../fields/use-bound-field'
import { parseNumber } from '../../fields/parse-number'
import { toText } from '../../fields/use-text-input-props'
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
  isUnused?: boolean
}

/** Places a cell in its grid area. The label is visible only while the column headings are hidden. */
export const LabelledCell = ({
  className,
  label,
  children,
}: {
  className: string | undefined
  label: string
  children: ReactNode
}) => (
  <div className={className}>
    <span className={css.cellLabel} aria-hidden="true">
      {label}
    </span>
    {children}
  </div>
)

const useCell = (props: CellProps) => {
  const { field, value, error } = useBoundField({ name: props.name, label: props.label })
  const setValue = (nextValue: unknown) => {
    field.onChange(nextValue)
    props.onChanged()
  }
  const inputProps = {
    name: field.name,
    ref: field.ref,
    'aria-label': props.label,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': props.describedBy,
  } as const
  return { value, setValue, onBlur: field.onBlur, inputProps }
}

interface TextCellProps extends CellProps {
  /** Called when the field loses the focus, and on Enter. */
  onCommit?: () => void
}

export const TextCell = ({ onCommit, ...props }: TextCellProps) => {
  const { value, setValue, onBlur, inputProps } = useCell(props)
  return (
    <input
      {...inputProps}
      className={css.input}
      value={toText(value)}
      placeholder={props.readOnly ? undefined : props.placeholder}
      readOnly={props.readOnly}
      maxLength={128}
      autoComplete="off"
      spellCheck={false}
      aria-required="true"
      onChange={(event) => setValue(event.currentTarget.value)}
      onBlur={() => {
        onCommit?.()
        onBlur()
      }}
      // Enter saves without blurring the field first
      onKeyDown={(event) => (event.key === 'Enter' ? onCommit?.() : undefined)}
    />
  )
}

export const NumberCell = ({ onClick, ...props }: CellProps & { onClick?: (input: HTMLInputElement) => void }) => {
  const { value, setValue, onBlur, inputProps } = useCell(props)
  return (
    <input
      {...inputProps}
      className={css.input}
      value={props.isUnused ? '' : toText(value)}
      placeholder={props.isUnused ? '–' : props.readOnly ? undefined : props.placeholder}
      disabled={props.isUnused}
      readOnly={props.readOnly}
      inputMode="numeric"
      autoComplete="off"
      onChange={(event) => setValue(parseNumber(event.currentTarget.value))}
      // on click the browser has already placed the cursor, on focus it has not
      onClick={onClick && ((event) => onClick(event.currentTarget))}
      onBlur={onBlur}
    />
  )
}

export const ProtocolCell = ({ options, ...props }: CellProps & { options: readonly string[] }) => {
  const { value, setValue, onBlur, inputProps } = useCell(props)
  return (
    <span className={css.select}>
      <select
        {...inputProps}
        className={css.input}
        value={props.isUnused ? '' : toText(value)}
        disabled={props.isUnused || props.readOnly}
        onChange={(event) => setValue(event.currentTarget.value)}
        onBlur={onBlur}
      >
        {props.isUnused ? <option value="">–</option> : null}
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
      <ChevronDown size={12} strokeWidth={2.25} aria-hidden="true" />
    </span>
  )
}

export const CheckboxCell = (props: CellProps) => {
  const { value, setValue, onBlur, inputProps } = useCell(props)
  return (
    <label className={css.checkbox}>
      <input
        {...inputProps}
        type="checkbox"
        checked={Boolean(value) && !props.isUnused}
        disabled={props.readOnly || props.isUnused}
        onChange={(event) => setValue(event.currentTarget.checked ? 1 : 0)}
        onBlur={onBlur}
      />
      <span aria-hidden="true">{props.label}</span>
    </label>
  )
}
