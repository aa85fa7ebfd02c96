import { ArrowDown, ArrowUp, ChevronRight } from 'lucide-react'
import { useEffect, useId, useRef, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { setCutCellTitle } from './cell-title'
import { getColumnWidths, type EventColumn } from './event-columns'
import css from './event-table.module.css'
import { createRowKeys, findOpenKey } from './row-keys'
import { moveBetweenRows, rowNavigationAttribute } from './row-navigation'
import { useIsNarrow } from '../shell/use-is-narrow'
import { useRowClick } from './use-row-click'

export interface EventTableProps<Row> {
  /** Accessible name of the table: 'Recent calls'. */
  label: string
  /** The first column contains the button that opens the row. */
  columns: EventColumn<Row>[]
  rows: readonly Row[]
  /** Duplicate keys get a number in list order, so that they stay distinct. */
  rowKey: (row: Row) => string
  /** Another key that can open a row. If several rows share it, the first one opens. */
  alias?: (row: Row) => string | null | undefined
  /** Key or alias of the open row. */
  open: string | undefined
  onOpen: (key: string | undefined) => void
  /** Renders the detail panel of an open row. */
  detail: (row: Row) => ReactNode
  /** Renders the card that replaces the row below 900 px. */
  card: (row: Row) => ReactNode
  /** Sort direction; the heading of the first column toggles it. */
  order?: { oldestFirst: boolean; onChange: (oldestFirst: boolean) => void }
  /** Content above the rows, such as a summary. It scrolls with them, to leave more height for an open row. */
  above?: ReactNode
  /** Replaces the rows of an empty list. */
  nothing?: ReactNode
  loading?: boolean
  refreshing?: boolean
}

const skeletonRows = 16

const Skeletons = ({ across }: { across: number }) =>
  Array.from({ length: skeletonRows }, (_, at) => (
    <tr key={at} className={css.row} aria-hidden="true">
      {Array.from({ length: across }, (_each, column) => (
        <td key={column}>
          <span className={css.skeleton} style={{ width: `${48 + ((at * 7 + column * 13) % 30)}%` }} />
        </td>
      ))}
    </tr>
  ))

const SkeletonCards = () =>
  Array.from({ length: skeletonRows }, (_, at) => (
    <li key={at} className={css.card} aria-hidden="true">
      <div className={css.face}>
        {[0, 1].map((line) => (
          <span key={line} className={css.skeleton} style={{ width: `${48 + ((at * 7 + line * 13) % 30)}%` }} />
        ))}
      </div>
    </li>
  ))

interface RowsProps<Row> extends EventTableProps<Row> {
  /** One unique key per row. */
  keys: readonly string[]
}

interface RowProps<Row> extends EventTableProps<Row> {
  row: Row
  /** Unique key of the row. */
  itsKey: string
}

/** Scrolls an opened row to the top of the list, to leave the most height for its detail panel. */
const useInView = <Part extends HTMLElement>(isOpen: boolean) => {
  const ref = useRef<Part>(null)
  useEffect(() => {
    // jsdom has no scrollIntoView
    if (isOpen) ref.current?.scrollIntoView?.({ block: 'start' })
  }, [isOpen])
  return ref
}

/** Ignores the second click of a double click, so that it does not undo the first. */
const onceOf =
  (toggle: () => void) =>
  ({ detail }: MouseEvent) => {
    if (detail < 2) toggle()
  }

const EventRow = <Row,>({ row, itsKey, columns, open, onOpen, detail }: RowProps<Row>) => {
  const id = useId()
  const isOpen = itsKey === open
  const [first, ...others] = columns
  const toggle = () => onOpen(isOpen ? undefined : itsKey)
  const ref = useInView<HTMLTableRowElement>(isOpen)
  return (
    <>
      {/* the button is for the keyboard and screen readers; the pointer can click the whole row */}
      <tr
        {...rowNavigationAttribute}
        ref={ref}
        className={css.row}
        data-open={isOpen || undefined}
        {...useRowClick(toggle)}
      >
        <td data-align={first?.align}>
          <button
            type="button"
            className={css.toggle}
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={onceOf(toggle)}
          >
            <ChevronRight size={16} strokeWidth={1.75} aria-hidden="true" />
            <span className={first?.mono ? css.mono : undefined}>{first?.cell(row)}</span>
          </button>
        </td>
        {others.map((column) => (
          <td key={column.id} dir="auto" data-align={column.align} className={column.mono ? css.mono : undefined}>
            {column.cell(row)}
          </td>
        ))}
      </tr>
      {isOpen ? (
        <tr className={css.detail} id={id}>
          <td colSpan={columns.length}>
            <div className={css.within}>{detail(row)}</div>
          </td>
        </tr>
      ) : null}
    </>
  )
}

type Order = NonNullable<EventTableProps<never>['order']>

const OrderButton = ({ oldestFirst, onChange, children }: Order & { children: ReactNode }) => {
  const Arrow = oldestFirst ? ArrowUp : ArrowDown
  return (
    <button
      type="button"
      className={css.order}
      title={oldestFirst ? 'Show the newest first' : 'Show the oldest first'}
      onClick={() => onChange(!oldestFirst)}
    >
      {children}
      <Arrow size={12} strokeWidth={2} aria-hidden="true" />
    </button>
  )
}

const Grid = <Row,>({ keys, ...given }: RowsProps<Row>) => {
  const { rows, loading, order } = given
  const columns = given.columns.filter(({ hasContent }) => !hasContent || loading || rows.some(hasContent))
  const props = { ...given, columns }
  const { minWidth, widthOf } = getColumnWidths(columns)
  return (
    <table className={css.table} style={{ minWidth }}>
      <thead>
        <tr>
          {columns.map((column, at) => (
            <th
              key={column.id}
              scope="col"
              style={{ width: widthOf(column) }}
              data-align={column.align}
              aria-sort={order && at === 0 ? (order.oldestFirst ? 'ascending' : 'descending') : undefined}
            >
              {order && at === 0 ? (
                <OrderButton {...order}>{column.head}</OrderButton>
              ) : (
                <span className={column.headHidden ? 'vh' : undefined}>{column.head}</span>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody onPointerMove={setCutCellTitle}>
        {loading ? <Skeletons across={columns.length} /> : null}
        {rows.map((row, at) => (
          <EventRow key={keys[at]} {...props} row={row} itsKey={keys[at]!} />
        ))}
      </tbody>
    </table>
  )
}

const EventCard = <Row,>({ row, itsKey, open, onOpen, detail, card }: RowProps<Row>) => {
  const isOpen = itsKey === open
  const ref = useInView<HTMLLIElement>(isOpen)
  return (
    <li ref={ref} className={css.card} data-open={isOpen || undefined}>
      <button
        {...rowNavigationAttribute}
        type="button"
        className={css.face}
        aria-expanded={isOpen}
        onClick={onceOf(() => onOpen(isOpen ? undefined : itsKey))}
      >
        {card(row)}
        <ChevronRight size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
      {isOpen ? <div className={css.opened}>{detail(row)}</div> : null}
    </li>
  )
}

const Cards = <Row,>({ keys, ...props }: RowsProps<Row>) => (
  <ul>
    {props.loading ? <SkeletonCards /> : null}
    {props.rows.map((row, at) => (
      <EventCard key={keys[at]} {...props} row={row} itsKey={keys[at]!} />
    ))}
  </ul>
)

/** Elements that handle Escape themselves, to close or clear. */
const ownEscape = 'dialog, [role=dialog], [role=alertdialog], [role=listbox], [role=combobox], input'

/** A list of events whose rows open in place: a table, or cards below 900 px. */
export const EventTable = <Row,>(props: EventTableProps<Row>) => {
  const Rows = useIsNarrow() ? Cards : Grid
  const { label, rows, rowKey, alias, above, nothing, loading, refreshing } = props
  const keys = createRowKeys(rows, rowKey)
  const open = findOpenKey(props.open, keys, alias && rows.map(alias))
  /** Escape closes the open row, unless the key belongs to an element inside or above it. */
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    moveBetweenRows(event)
    if (event.key !== 'Escape' || event.defaultPrevented || open === undefined) return
    if ((event.target as Element).closest(ownEscape)) return
    const toggle = event.currentTarget.querySelector<HTMLElement>(
      '[data-open] > * > [aria-expanded], [data-open] > [aria-expanded]',
    )
    props.onOpen(undefined)
    toggle?.focus()
  }
  return (
    // the list handles keys from all elements inside it
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      onKeyDown={onKeyDown}
      className={css.region}
      role="region"
      aria-label={label}
      // makes the region scrollable with the keyboard, even if nothing inside can be focused
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-busy={loading || refreshing || undefined}
      data-nothing={nothing ? true : undefined}
    >
      {above ? <div className={css.above}>{above}</div> : null}
      {nothing ?? <Rows {...props} keys={keys} open={open} />}
    </div>
  )
}
