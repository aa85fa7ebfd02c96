import { Fragment, useEffect, useRef, type ReactNode, type RefObject } from 'react'
import css from './event-items.module.css'
import { rowNavigationAttribute } from './row-navigation'
import { CardRows } from './table-rows'

/** How rows open beside the list. */
export interface RowsBeside<Row> {
  /** The address of a row. */
  createHref: (key: string) => string
  /** A row is open, so that the list is narrow and shows its rows as items. */
  isOpen: boolean
  renderItem: (row: Row) => ReactNode
  /** The heading above the first row of a group, such as its day. */
  getGroup: (row: Row) => string
}

export interface EventItemsProps<Row> {
  rows: readonly Row[]
  /** One unique key per row. */
  keys: readonly string[]
  openKey: string | undefined
  loading: boolean | undefined
  beside: RowsBeside<Row>
}

/** Attribute that contains the key of a row. */
export const rowKeyAttribute = (key: string) => ({ 'data-row-key': key })

/** The key of the row that an element opens. */
export const getRowKey = (element: Element | null): string | undefined =>
  element instanceof HTMLElement ? element.dataset.rowKey : undefined

/** The list beside an open row: items of two lines, in groups. */
export const EventItems = <Row,>({ rows, keys, openKey, loading, beside }: EventItemsProps<Row>) => (
  <CardRows
    rows={rows}
    loading={loading}
    renderCard={(row, index) => {
      const key = keys[index] ?? ''
      const previousRow = rows[index - 1]
      const group = beside.getGroup(row)
      const isFirstOfGroup = previousRow === undefined || group !== beside.getGroup(previousRow)
      return (
        <Fragment key={key}>
          {isFirstOfGroup ? <li className={css.group}>{group}</li> : null}
          <li>
            <a
              {...rowNavigationAttribute}
              {...rowKeyAttribute(key)}
              className={css.item}
              href={beside.createHref(key)}
              aria-current={key === openKey || undefined}
            >
              {beside.renderItem(row)}
            </a>
          </li>
        </Fragment>
      )
    }}
  />
)

const findRowLink = (list: HTMLElement | null, key = '') =>
  list?.querySelector<HTMLElement>(`[data-row-key="${CSS.escape(key)}"]`)

const isFocusLost = () => document.activeElement?.matches('main, body') ?? true

/**
 * Keeps the open row in view, and the focus on it while the focus is in the list. A table that becomes the narrow list,
 * or the other way around, loses the focus with its rows.
 */
export const useOpenRowFocus = (
  list: RefObject<HTMLElement | null>,
  isBeside: boolean,
  openKey: string | undefined,
) => {
  const last = useRef({ isBeside, openKey })
  useEffect(() => {
    const { isBeside: wasBeside, openKey: lastKey } = last.current
    const key = openKey ?? lastKey
    last.current = { isBeside, openKey: key }
    const hasReplacedRows = isBeside !== wasBeside
    if (!hasReplacedRows && (!isBeside || openKey === lastKey)) return undefined
    const row = findRowLink(list.current, key)
    const isInList = list.current?.contains(document.activeElement) ?? false
    if (isInList || (hasReplacedRows && isFocusLost())) row?.focus({ preventScroll: true })
    // after the scroll position of the list has been restored; jsdom has no scrollIntoView
    const frame = requestAnimationFrame(() => row?.scrollIntoView?.({ block: 'nearest' }))
    return () => cancelAnimationFrame(frame)
  })
}
