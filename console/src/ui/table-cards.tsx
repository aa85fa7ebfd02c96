import { useRef } from 'react'
import type { DataTableProps } from './data-table'
import { SelectBox } from './select-box'
import css from './table-cards.module.css'
import { useRowWindow } from './table-rows'

const cardHeight = 96

/** The narrow look of DataTable: a card a row. */
export const TableCards = <Row,>(props: DataTableProps<Row>) => {
  const { label, columns, rows, rowKey, rowName, rowHref, actions, selection, loading, refreshing, card } = props
  const scroller = useRef<HTMLDivElement>(null)
  const shown = useRowWindow(loading ? 0 : rows.length, cardHeight, scroller)
  const [first, ...others] = columns
  const facts = others.filter((column) => !column.tableOnly)
  return (
    <div
      ref={scroller}
      className={css.region}
      role="region"
      aria-label={label}
      // keys scroll what scrolls, also where nothing inside can be focused
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-busy={loading || refreshing || undefined}
    >
      {loading ? (
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
      ) : null}
      <ul style={{ paddingTop: shown.before, paddingBottom: shown.after }}>
        {shown.at.map((at) => {
          const row = rows[at]
          if (row === undefined || !first) return null
          const key = rowKey(row)
          const href = rowHref?.(row)
          return (
            <li
              key={key}
              ref={shown.measure}
              data-index={at}
              className={css.card}
              data-chosen={selection?.chosen.has(key) || undefined}
            >
              <div className={css.line}>
                {selection ? <SelectBox.One row={row} rowKey={rowKey} rowName={rowName} selection={selection} /> : null}
                {href ? (
                  <a className={css.name} href={href}>
                    {first.cell(row)}
                  </a>
                ) : (
                  <span className={css.name}>{first.cell(row)}</span>
                )}
                {actions ? <div className={css.actions}>{actions(row)}</div> : null}
              </div>
              {card ? (
                card(row)
              ) : (
                <dl className={css.facts}>
                  {facts.map((column) => (
                    <div key={column.id} data-mono={column.mono || undefined}>
                      <dt className="vh">{column.head}</dt>
                      <dd>{column.cell(row)}</dd>
                    </div>
                  ))}
                </dl>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
