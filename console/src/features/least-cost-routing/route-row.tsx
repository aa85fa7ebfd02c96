import { ArrowDown, ArrowUp, ChevronDown, GripVertical, Trash2, TriangleAlert } from 'lucide-react'
import { memo, useId, type KeyboardEvent, type PointerEvent } from 'react'
import { IconButton } from '../../ui/button'
import { FieldMessage } from '../../ui/form/field-message'
import { Listbox, type ListboxOption } from '../../ui/form/listbox'
import css from './routes-table.module.css'
import { useTextDraft } from './use-text-draft'

/** The handlers of a row. They are stable functions, so that a row renders again only when its data changes. */
export interface RowHandlers {
  onPatternChange: (key: string, regex: string) => void
  onCarrierChange: (key: string, voip_carrier_sid: string) => void
  /** A field of the row lost the focus. */
  onBlur: (key: string) => void
  onMoveBy: (key: string, offset: 1 | -1) => void
  onRemove: (key: string) => void
  onHandlePointerDown: (event: PointerEvent, key: string, index: number) => void
  onHandleKeyDown: (event: KeyboardEvent, key: string, index: number) => void
}

export interface RouteRowProps extends RowHandlers {
  rowKey: string
  index: number
  isLast: boolean
  regex: string
  carrierSid: string | null
  /** The number of carriers after the first. The form does not show or change them. */
  otherCarrierCount: number
  carrierOptions: ListboxOption[]
  regexError?: string
  carrierError?: string
  /** A note about the route's position or pattern. */
  hint?: string
  isBeingMoved?: boolean
  /** The route matches the number in the "Test a number" field. */
  isMatch?: boolean
  readOnly: boolean
  /** Typing is debounced, because the list is long. */
  isDebounced: boolean
  instructionsId: string
  /** Reports the height of the row to the windowed list. */
  measure?: (node: Element | null) => void
}

const PatternInput = (props: RouteRowProps & { name: string; describedBy: string | undefined }) => {
  const {
    text: draft,
    setDraft,
    flush,
  } = useTextDraft(props.regex, props.isDebounced, (nextDraft) => props.onPatternChange(props.rowKey, nextDraft))
  return (
    <input
      className={css.regex}
      data-part="regex"
      aria-label={`Digit prefix or regex of ${props.name}`}
      aria-required="true"
      aria-invalid={props.regexError ? true : undefined}
      aria-describedby={props.describedBy}
      value={draft}
      maxLength={32}
      readOnly={props.readOnly}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onKeyDown={(event) => (event.key === 'Enter' ? flush() : undefined)}
      onBlur={() => {
        flush()
        props.onBlur(props.rowKey)
      }}
    />
  )
}

const CarrierSelect = (props: RouteRowProps & { name: string; describedBy: string | undefined }) => {
  const { carrierSid, carrierOptions, readOnly } = props
  const carrierName = carrierOptions.find(({ value }) => value === carrierSid)?.label ?? carrierSid ?? undefined
  if (readOnly) return <span className={css.carrierText}>{carrierName}</span>
  return (
    <Listbox
      label={`Carrier of ${props.name}`}
      className={css.carrier}
      attributes={{
        'aria-required': true,
        'aria-invalid': props.carrierError ? true : undefined,
        'aria-describedby': props.carrierError ? props.describedBy : undefined,
        'data-none': carrierName === undefined || undefined,
      }}
      options={carrierOptions}
      value={carrierSid ?? undefined}
      onSelect={(sid) => props.onCarrierChange(props.rowKey, sid)}
      searchable={carrierOptions.length > 8}
    >
      <span>{carrierName ?? 'Choose carrier'}</span>
      <ChevronDown size={14} strokeWidth={2} aria-hidden="true" />
    </Listbox>
  )
}

const RowButtons = ({ rowKey, index, isLast, name, onMoveBy, onRemove }: RouteRowProps & { name: string }) => (
  <>
    <span className={css.moveButtons}>
      <IconButton
        icon={ArrowUp}
        size="sm"
        iconSize={14}
        data-part="up"
        label={`Move ${name} up`}
        disabled={index === 0}
        onClick={() => onMoveBy(rowKey, -1)}
      />
      <IconButton
        icon={ArrowDown}
        size="sm"
        iconSize={14}
        data-part="down"
        label={`Move ${name} down`}
        disabled={isLast}
        onClick={() => onMoveBy(rowKey, 1)}
      />
    </span>
    <IconButton icon={Trash2} iconSize={14} label={`Delete ${name}`} onClick={() => onRemove(rowKey)} />
  </>
)

const RowNotes = ({ regexError, carrierError, hint, otherCarrierCount, id }: RouteRowProps & { id: string }) => {
  if (regexError || carrierError)
    return (
      <div className={css.note}>
        {regexError ? <FieldMessage id={id}>{regexError}</FieldMessage> : null}
        {carrierError ? <FieldMessage id={`${id}-carrier`}>{carrierError}</FieldMessage> : null}
      </div>
    )
  if (hint)
    return (
      <p id={id} className={css.hint}>
        <TriangleAlert size={12} strokeWidth={2.25} aria-hidden="true" />
        {hint}
      </p>
    )
  if (otherCarrierCount > 0)
    return (
      <p className={css.otherCarriers}>
        {otherCarrierCount === 1 ? 'And one more carrier' : `And ${otherCarrierCount} more carriers`}
      </p>
    )
  return null
}

const RouteRowContent = (props: RouteRowProps) => {
  const { rowKey, index, regexError, hint, readOnly, onHandlePointerDown, onHandleKeyDown } = props
  const id = useId()
  const name = `route ${index + 1}`
  return (
    <li
      ref={props.measure}
      className={css.row}
      data-index={index}
      data-key={rowKey}
      data-moving={props.isBeingMoved || undefined}
      data-match={props.isMatch || undefined}
      aria-label={`Route ${index + 1}`}
    >
      {readOnly ? (
        <span />
      ) : (
        <IconButton
          icon={GripVertical}
          data-part="handle"
          label={`Move ${name}`}
          title=""
          aria-describedby={props.instructionsId}
          aria-pressed={props.isBeingMoved ?? false}
          onPointerDown={(event) => onHandlePointerDown(event, rowKey, index)}
          onKeyDown={(event) => onHandleKeyDown(event, rowKey, index)}
        />
      )}
      <span className={css.number}>{index + 1}</span>
      <PatternInput {...props} name={name} describedBy={regexError || hint ? `${id}-note` : undefined} />
      <div className={css.carrierCell}>
        <CarrierSelect {...props} name={name} describedBy={`${id}-note-carrier`} />
      </div>
      {readOnly ? null : <RowButtons {...props} name={name} />}
      <RowNotes {...props} id={`${id}-note`} />
    </li>
  )
}

/** One route: drag handle, position, pattern and carrier. */
export const RouteRow = memo(RouteRowContent)
