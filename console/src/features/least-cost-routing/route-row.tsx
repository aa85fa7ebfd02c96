import { ArrowDown, ArrowUp, ChevronDown, GripVertical, Trash2, TriangleAlert } from 'lucide-react'
import { memo, useId, type KeyboardEvent, type PointerEvent } from 'react'
import { IconButton } from '../../ui/button'
import { FieldError } from '../../ui/form/field-error'
import { Listbox, type ListboxOption } from '../../ui/form/listbox'
import css from './routes-table.module.css'
import { useTyped } from './use-text-draft'

/** The handlers of a row. They are stable functions, so that a row renders again only when its data changes. */
export interface RowHandlers {
  onRegex: (key: string, regex: string) => void
  onCarrier: (key: string, voip_carrier_sid: string) => void
  /** A field of the row lost the focus. */
  onLeft: (key: string) => void
  onStep: (key: string, by: 1 | -1) => void
  onRemove: (key: string) => void
  onGripDown: (event: PointerEvent, key: string, at: number) => void
  onGripKey: (event: KeyboardEvent, key: string, at: number) => void
}

export interface RouteRowProps extends RowHandlers {
  rowKey: string
  at: number
  last: boolean
  regex: string
  carrier: string | null
  /** The number of carriers after the first; they stay unchanged. */
  more: number
  carriers: ListboxOption[]
  regexFault?: string
  carrierFault?: string
  /** A note about the route's position or pattern. */
  hint?: string
  lifted?: boolean
  /** The route matches the number in the "Test a number" field. */
  hit?: boolean
  readOnly: boolean
  /** The list is long, so typing is debounced. */
  long: boolean
  howTo: string
  measure?: (node: Element | null) => void
}

const Pattern = (props: RouteRowProps & { name: string; describedBy: string | undefined }) => {
  const { text, type, tell } = useTyped(props.regex, props.long, (next) => props.onRegex(props.rowKey, next))
  return (
    <input
      className={css.regex}
      data-part="regex"
      aria-label={`Digit prefix or regex of ${props.name}`}
      aria-required="true"
      aria-invalid={props.regexFault ? true : undefined}
      aria-describedby={props.describedBy}
      value={text}
      maxLength={32}
      readOnly={props.readOnly}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => (event.key === 'Enter' ? tell() : undefined)}
      onBlur={() => {
        tell()
        props.onLeft(props.rowKey)
      }}
    />
  )
}

const Carrier = (props: RouteRowProps & { name: string; describedBy: string | undefined }) => {
  const { carrier, carriers, readOnly } = props
  const chosen = carriers.find(({ value }) => value === carrier)?.label ?? (carrier === null ? undefined : carrier)
  if (readOnly) return <span className={css.fixed}>{chosen}</span>
  return (
    <Listbox
      label={`Carrier of ${props.name}`}
      className={css.carrier}
      attributes={{
        'aria-required': true,
        'aria-invalid': props.carrierFault ? true : undefined,
        'aria-describedby': props.carrierFault ? props.describedBy : undefined,
        'data-none': chosen === undefined || undefined,
      }}
      options={carriers}
      value={carrier ?? undefined}
      onPick={(sid) => props.onCarrier(props.rowKey, sid)}
      searchable={carriers.length > 8}
    >
      <span>{chosen ?? 'Choose carrier'}</span>
      <ChevronDown size={14} strokeWidth={2} aria-hidden="true" />
    </Listbox>
  )
}

const Tools = ({ rowKey, at, last, name, onStep, onRemove }: RouteRowProps & { name: string }) => (
  <>
    <span className={css.steps}>
      <IconButton
        icon={ArrowUp}
        size="sm"
        glyph={14}
        data-part="up"
        label={`Move ${name} up`}
        disabled={at === 0}
        onClick={() => onStep(rowKey, -1)}
      />
      <IconButton
        icon={ArrowDown}
        size="sm"
        glyph={14}
        data-part="down"
        label={`Move ${name} down`}
        disabled={last}
        onClick={() => onStep(rowKey, 1)}
      />
    </span>
    <IconButton icon={Trash2} glyph={14} label={`Delete ${name}`} onClick={() => onRemove(rowKey)} />
  </>
)

const Notes = ({ regexFault, carrierFault, hint, more, id }: RouteRowProps & { id: string }) => {
  if (regexFault || carrierFault)
    return (
      <div className={css.note}>
        {regexFault ? <FieldError id={id}>{regexFault}</FieldError> : null}
        {carrierFault ? <FieldError id={`${id}-carrier`}>{carrierFault}</FieldError> : null}
      </div>
    )
  if (hint)
    return (
      <p id={id} className={css.hint}>
        <TriangleAlert size={12} strokeWidth={2.25} aria-hidden="true" />
        {hint}
      </p>
    )
  if (more > 0) return <p className={css.more}>{more === 1 ? 'And one more carrier' : `And ${more} more carriers`}</p>
  return null
}

const PlainRow = (props: RouteRowProps) => {
  const { rowKey, at, regexFault, hint, readOnly, onGripDown, onGripKey } = props
  const id = useId()
  const name = `route ${at + 1}`
  return (
    <li
      ref={props.measure}
      className={css.row}
      data-index={at}
      data-key={rowKey}
      data-lifted={props.lifted || undefined}
      data-hit={props.hit || undefined}
      aria-label={`Route ${at + 1}`}
    >
      {readOnly ? (
        <span />
      ) : (
        <IconButton
          icon={GripVertical}
          data-part="grip"
          label={`Move ${name}`}
          title=""
          aria-describedby={props.howTo}
          aria-pressed={props.lifted ?? false}
          onPointerDown={(event) => onGripDown(event, rowKey, at)}
          onKeyDown={(event) => onGripKey(event, rowKey, at)}
        />
      )}
      <span className={css.number}>{at + 1}</span>
      <Pattern {...props} name={name} describedBy={regexFault || hint ? `${id}-note` : undefined} />
      <div className={css.second}>
        <Carrier {...props} name={name} describedBy={`${id}-note-carrier`} />
      </div>
      {readOnly ? null : <Tools {...props} name={name} />}
      <Notes {...props} id={`${id}-note`} />
    </li>
  )
}

/** One route: drag handle, position, pattern and carrier. */
export const RouteRow = memo(PlainRow)
