import { useRef } from 'react'
import type { DataTableProps } from './table-props'
import { moveBetweenRows, rowNavigationAttribute } from './row-navigation'
import { WindowedRows } from './windowed-rows'
import { SelectBox } from './select-box'
import css from './table-cards.module.css'

const cardHeight = 96

const Skeletons = () => (
  <div aria-hidden="true">
    {Array.from({ length: 8 }, (_, at) => (
      <div key={at} className={css.card}>
        <div className={css.line}>
          <span className={css.skeleton} data-part="name" />
        </div>
        <span className={css.skeleton} data-part="facts" />
      </div>
    ))}
  </div>
)

interface CardProps<Row> extends DataTableProps<Row> {
  row: Row
  at: number
  measure: ((node: Element | null) => void) | undefined
}

const Card = <Row,>({ row, at, measure, ...table }: CardProps<Row>) => {
  const { columns, rowKey, rowName, rowHref, actions, selection, card } = table
  const [first, ...others] = columns
  const href = rowHref?.(row)
  return (
    <li
      {...rowNavigationAttribute}
      ref={measure}
      data-index={at}
      className={css.card}
      data-chosen={selection?.selected.has(rowKey(row)) || undefined}
    >
      <div className={css.line}>
        {selection ? <SelectBox.One row={row} rowKey={rowKey} rowName={rowName} selection={selection} /> : null}
        {href ? (
          <a className={css.name} href={href}>
            {first?.cell(row)}
          </a>
        ) : (
          <span className={css.name}>{first?.cell(row)}</span>
        )}
        {actions ? <div className={css.actions}>{actions(row)}</div> : null}
      </div>
      {card ? (
        card(row)
      ) : (
        <dl className={css.facts}>
          {others
            .filter((column) => !column.tableOnly)
            .map((column) => (
              <div
                key={column.id}
                data-mono={column.mono || undefined}
                data-figure={column.align === 'end' || undefined}
              >
                <dt className="vh">{column.head}</dt>
                <dd>{column.cell(row)}</dd>
              </div>
            ))}
        </dl>
      )}
    </li>
  )
}

/** The narrow variant of DataTable: one card per row. */
export const TableCards = <Row,>(props: DataTableProps<Row>) => {
  const { label, rows, rowKey, selection, loading, refreshing } = props
  const scroller = useRef<HTMLDivElement>(null)
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={scroller}
      onKeyDown={moveBetweenRows}
      className={css.region}
      role="region"
      aria-label={label}
      // makes the region scrollable with the keyboard, even if nothing inside can be focused
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-busy={loading || refreshing || undefined}
    >
      {loading ? <Skeletons /> : null}
      {selection && rows.length > 0 && !loading ? (
        <div className={css.all}>
          <SelectBox.All rows={rows} rowKey={rowKey} selection={selection} />
          <span aria-hidden="true">Select all on this page</span>
        </div>
      ) : null}
      <WindowedRows
        count={loading ? 0 : rows.length}
        height={cardHeight}
        scroller={scroller}
        draw={({ at, before, after, measure }) => (
          <ul style={{ paddingTop: before, paddingBottom: after }}>
            {at.map((position) => {
              const row = rows[position]
              if (row === undefined) return null
              return <Card key={rowKey(row)} {...props} row={row} at={position} measure={measure} />
            })}
          </ul>
        )}
      />
    </div>
  )
}
