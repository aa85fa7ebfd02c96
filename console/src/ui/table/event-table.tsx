import { ChevronRight } from 'lucide-react'
import { useEffect, useId, useRef, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { handlesEscape } from '../handles-escape'
import { useIsNarrow } from '../shell/use-window-width'
import { getColumnWidths, type EventColumn } from './event-columns'
import css from './event-table.module.css'
import { EventItems, getRowKey, rowKeyAttribute, useOpenRowFocus, type RowsBeside } from './event-items'
import { createRowKeys, findOpenKey } from './row-keys'
import { rowNavigationAttribute } from './row-navigation'
import { BodyCell, HeadCell } from './table-cells'
import { TableRegion } from './table-region'
import { CardRows, TableRows } from './table-rows'
import tableCss from './table.module.css'
import { useListWidth } from './use-list-width'
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
  alternateKey?: (row: Row) => string | null | undefined
  /** Key or alternate key of the open row. */
  openKey: string | undefined
  /** `replace`: without a new history entry. */
  onOpen: (key: string | undefined, replace?: boolean) => void
  /** Renders the detail panel of an open row. */
  detail: (row: Row) => ReactNode
  /** Renders the card that replaces the row below 900 px. */
  card: (row: Row) => ReactNode
  /** Sort direction; the heading of the first column toggles it. */
  order?: { oldestFirst: boolean; onChange: (oldestFirst: boolean) => void }
  /** Content above the rows, such as a summary. It scrolls with them, to leave more height for an open row. */
  above?: ReactNode
  /** Opens rows beside the list instead of inside it. */
  beside?: RowsBeside<Row>
  /** Replaces the rows of an empty list. */
  emptyState?: ReactNode
  loading?: boolean
  refreshing?: boolean
}

interface EventRowsProps<Row> extends EventTableProps<Row> {
  /** One unique key per row. */
  keys: readonly string[]
}

interface EventRowProps<Row> extends EventTableProps<Row> {
  row: Row
  /** Unique key of the row. */
  uniqueKey: string
}

/** Scrolls an opened row to the top of the list, to leave the most height for its detail panel. */
const useScrollToTop = <Target extends HTMLElement>(isOpen: boolean) => {
  const ref = useRef<Target>(null)
  useEffect(() => {
    // jsdom has no scrollIntoView
    if (isOpen) ref.current?.scrollIntoView?.({ block: 'start' })
  }, [isOpen])
  return ref
}

/** Ignores the second click of a double click, so that it does not undo the first. */
const ignoreSecondClick =
  (toggle: () => void) =>
  ({ detail }: MouseEvent) => {
    if (detail < 2) toggle()
  }

interface EventCellsProps<Row> extends Pick<EventTableProps<Row>, 'columns'> {
  row: Row
  /** Renders the control of the first cell, which opens the row, with this content. */
  renderToggle: (content: ReactNode) => ReactNode
}

const EventCells = <Row,>({ row, columns, renderToggle }: EventCellsProps<Row>) =>
  columns.map((column, index) => (
    <BodyCell key={column.id} column={column}>
      {index > 0
        ? column.cell(row)
        : renderToggle(
            <>
              <ChevronRight size={16} strokeWidth={1.75} aria-hidden="true" />
              <span>{column.cell(row)}</span>
            </>,
          )}
    </BodyCell>
  ))

/** A row that opens beside the list. */
const LinkedRow = <Row,>({ row, uniqueKey, columns, onOpen, beside }: EventRowProps<Row>) => (
  // the link is for the keyboard and screen readers; the pointer can click the whole row
  <tr {...rowNavigationAttribute} className={`${tableCss.row} ${css.row}`} {...useRowClick(() => onOpen(uniqueKey))}>
    <EventCells
      {...{ row, columns }}
      renderToggle={(content) => (
        <a className={css.toggle} href={beside?.createHref(uniqueKey)} {...rowKeyAttribute(uniqueKey)}>
          {content}
        </a>
      )}
    />
  </tr>
)

const EventRow = <Row,>({ row, uniqueKey, columns, openKey, onOpen, detail }: EventRowProps<Row>) => {
  const id = useId()
  const isOpen = uniqueKey === openKey
  const toggle = () => onOpen(isOpen ? undefined : uniqueKey)
  const ref = useScrollToTop<HTMLTableRowElement>(isOpen)
  return (
    <>
      {/* the button is for the keyboard and screen readers; the pointer can click the whole row */}
      <tr
        {...rowNavigationAttribute}
        ref={ref}
        className={`${tableCss.row} ${css.row}`}
        data-open={isOpen || undefined}
        {...useRowClick(toggle)}
      >
        <EventCells
          {...{ row, columns }}
          renderToggle={(content) => (
            <button
              type="button"
              className={css.toggle}
              aria-expanded={isOpen}
              aria-controls={isOpen ? id : undefined}
              onClick={ignoreSecondClick(toggle)}
            >
              {content}
            </button>
          )}
        />
      </tr>
      {isOpen ? (
        <tr className={css.detail} id={id}>
          <td colSpan={columns.length}>
            <div className={css.detailContent}>{detail(row)}</div>
          </td>
        </tr>
      ) : null}
    </>
  )
}

/** The sort state of the first column, which contains the time. */
const toSortState = ({ oldestFirst, onChange }: NonNullable<EventTableProps<never>['order']>) => ({
  direction: oldestFirst ? ('ascending' as const) : ('descending' as const),
  title: oldestFirst ? 'Show the newest first' : 'Show the oldest first',
  onToggle: () => onChange(!oldestFirst),
})

const EventGrid = <Data,>({ keys, ...tableProps }: EventRowsProps<Data>) => {
  const { rows, loading, order, beside } = tableProps
  const Row = beside ? LinkedRow : EventRow
  const columns = tableProps.columns.filter(({ hasContent }) => !hasContent || loading || rows.some(hasContent))
  const { minWidth, getWidth } = getColumnWidths(columns)
  return (
    <table className={`${tableCss.table} ${css.table}`} style={{ minWidth }}>
      <thead>
        <tr>
          {columns.map((column, index) => (
            <HeadCell
              key={column.id}
              column={column}
              width={getWidth(column)}
              sort={order && index === 0 ? toSortState(order) : undefined}
            />
          ))}
        </tr>
      </thead>
      <TableRows
        rows={rows}
        loading={loading}
        columnCount={columns.length}
        renderRow={(row, index) => (
          <Row key={keys[index]} {...tableProps} columns={columns} row={row} uniqueKey={keys[index]!} />
        )}
      />
    </table>
  )
}

/** A card that opens in place of the list. */
const LinkedCard = <Row,>({ row, uniqueKey, card, beside }: EventRowProps<Row>) => (
  <li className={css.card}>
    <a
      {...rowNavigationAttribute}
      {...rowKeyAttribute(uniqueKey)}
      className={css.cardToggle}
      href={beside?.createHref(uniqueKey)}
    >
      {card(row)}
      <ChevronRight size={16} strokeWidth={1.75} aria-hidden="true" />
    </a>
  </li>
)

const EventCard = <Row,>({ row, uniqueKey, openKey, onOpen, detail, card }: EventRowProps<Row>) => {
  const isOpen = uniqueKey === openKey
  const ref = useScrollToTop<HTMLLIElement>(isOpen)
  return (
    <li ref={ref} className={css.card} data-open={isOpen || undefined}>
      <button
        {...rowNavigationAttribute}
        type="button"
        className={css.cardToggle}
        aria-expanded={isOpen}
        onClick={ignoreSecondClick(() => onOpen(isOpen ? undefined : uniqueKey))}
      >
        {card(row)}
        <ChevronRight size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
      {isOpen ? <div className={css.cardDetail}>{detail(row)}</div> : null}
    </li>
  )
}

const EventCards = <Data,>({ keys, ...tableProps }: EventRowsProps<Data>) => {
  const Card = tableProps.beside ? LinkedCard : EventCard
  return (
    <CardRows
      rows={tableProps.rows}
      loading={tableProps.loading}
      renderCard={(row, index) => <Card key={keys[index]} {...tableProps} row={row} uniqueKey={keys[index]!} />}
    />
  )
}

/** A list of events whose rows open in place or beside it: a table, or cards below 900 px, in whose place a row opens. */
export const EventTable = <Row,>(props: EventTableProps<Row>) => {
  const isNarrow = useIsNarrow()
  const RowsOrCards = isNarrow ? EventCards : EventGrid
  const list = useRef<HTMLDivElement>(null)
  useListWidth(list)
  const { label, rows, rowKey, alternateKey, above, beside, emptyState, loading, refreshing } = props
  const keys = createRowKeys(rows, rowKey)
  const openKey = findOpenKey(props.openKey, keys, alternateKey && rows.map(alternateKey))
  const isBeside = beside?.isOpen ?? false
  useOpenRowFocus(list, isBeside, openKey)
  /** Escape closes the open row, unless the key belongs to an element inside or above it. */
  const closeOnEscape = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key !== 'Escape' || event.defaultPrevented || openKey === undefined || beside) return
    if (handlesEscape(event.target as Element)) return
    const toggle = event.currentTarget.querySelector<HTMLElement>(
      '[data-open] > * > [aria-expanded], [data-open] > [aria-expanded]',
    )
    props.onOpen(undefined)
    toggle?.focus()
  }
  return (
    <TableRegion
      ref={list}
      label={label}
      isBusy={loading || refreshing}
      className={`${css.region} ${emptyState ? css.empty : ''}`}
      onKeyDown={(event) => {
        closeOnEscape(event)
        // the next row opens as soon as it gets the focus
        const focusedKey = isBeside && event.defaultPrevented ? getRowKey(document.activeElement) : undefined
        if (focusedKey !== undefined && focusedKey !== openKey) props.onOpen(focusedKey, true)
      }}
    >
      {above ? <div className={css.above}>{above}</div> : null}
      {emptyState ??
        (beside?.isOpen && !isNarrow ? (
          <EventItems {...{ rows, keys, openKey, loading, beside }} />
        ) : (
          <RowsOrCards {...props} keys={keys} openKey={openKey} />
        ))}
    </TableRegion>
  )
}
