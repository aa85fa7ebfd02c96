import { messages } from '@trunkline/contract/messages/lcr'
import { requiresPlus, unreachableRoutes } from '@trunkline/contract/telephony/route-pattern'
import { defaultRoute } from '@trunkline/contract/telephony/lcr'
import { CornerDownRight, Lock, Plus } from 'lucide-react'
import { useContext, useEffect, useId, useLayoutEffect, useMemo, useRef } from 'react'
import { useFormContext, type FieldError } from 'react-hook-form'
import { FieldRegistryContext } from '../../fields/form-facts'
import { Button } from '../../ui/button'
import type { ListboxOption } from '../../ui/form/listbox'
import { maxUnwindowedRows, WindowedRows, type RowWindow } from '../../ui/table/row-window'
import { Section } from '../../ui/form/section'
import { revealRow, rowHeight } from './row-focus'
import { RouteRow } from './route-row'
import css from './routes-table.module.css'
import { useRoutes } from './use-routes'
import { routeFaults, type RouteValues, type TableValues } from './values'

export interface RoutesTableProps {
  carriers: ListboxOption[]
  /** The name of the default route's carrier. */
  rest: string | undefined
  /** The index of the route that matches the number in the "Test a number" field; 'rest' is the default route. */
  hit: number | 'rest' | undefined
  readOnly: boolean
  /** Deletes a stored route; returns false if it still exists. */
  onRemoveStored: (lcr_route_sid: string) => Promise<boolean>
  /** The index of the first invalid route; a new object after each refused save. */
  wrong: { at: number } | undefined
}

/** Returns notes by index: routes that are never reached or never match. */
const hintsOf = (rows: readonly RouteValues[]): Map<number, string> => {
  const patterns = rows.map(({ regex }) => regex.trim())
  const hints = new Map<number, string>()
  for (const [at, routes] of unreachableRoutes(patterns)) hints.set(at, messages.covered(routes))
  for (const [at, pattern] of patterns.entries()) if (requiresPlus(pattern)) hints.set(at, messages.neverMatches)
  return hints
}

/** Returns the errors of a row: validation errors once it lost the focus, and server errors. */
const faultsOf = (
  row: RouteValues,
  found: { regex?: FieldError; voip_carrier_sid?: FieldError } | undefined,
  wasLeft: boolean,
  isSubmitted: boolean,
) => {
  const own = routeFaults(row)
  return {
    regexFault: (wasLeft || isSubmitted ? own.regex : undefined) ?? found?.regex?.message,
    // a missing carrier is an error only after a save: the user may still be filling in the row
    carrierFault: (isSubmitted ? own.voip_carrier_sid : undefined) ?? found?.voip_carrier_sid?.message,
  }
}

/** The ordered routes of an LCR and its default route. Each has a pattern and a carrier; the first match wins. */
export const RoutesTable = ({ carriers, rest, hit, readOnly, onRemoveStored, wrong }: RoutesTableProps) => {
  const { errors, isSubmitted } = useFormContext<TableValues>().formState
  const list = useRef<HTMLOListElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  const howTo = useId()
  const { rows, shown, lift, left, said, addOne, handlers } = useRoutes({ list, add, onRemoveStored })
  const hints = useMemo(() => hintsOf(rows), [rows])
  useRowFacts(rows.length)

  useLayoutEffect(() => {
    if (wrong) revealRow(list.current, wrong.at)
  }, [wrong])

  const one = (place: number, measure: RowWindow['measure']) => {
    const row = shown[place]
    if (!row) return null
    // errors and notes stay with the row while it moves
    const home = lift ? rows.indexOf(row) : place
    return (
      <RouteRow
        key={row.key}
        {...handlers}
        {...faultsOf(row, errors.routes?.[home], left.has(row.key), isSubmitted)}
        hint={hints.get(home)}
        hit={hit === home}
        lifted={lift?.key === row.key}
        rowKey={row.key}
        at={place}
        last={place === shown.length - 1}
        regex={row.regex}
        carrier={row.voip_carrier_sid}
        more={Math.max(0, row.entries.length - 1)}
        carriers={carriers}
        readOnly={readOnly}
        long={rows.length > maxUnwindowedRows}
        howTo={howTo}
        measure={measure}
      />
    )
  }

  return (
    <Section
      title="Route based on first match"
      required={!readOnly}
      error={errors.routes?.message}
      help={<span id={howTo}>{readOnly ? firstMatch : howToMove}</span>}
    >
      <div className={css.table} data-read-only={readOnly || undefined}>
        <div className={css.head} aria-hidden="true">
          <span />
          <span />
          <span>Digit prefix or regex</span>
          <span>Carrier</span>
        </div>
        <ol
          ref={list}
          className={css.rows}
          aria-label="Routes"
          data-many={shown.length > maxUnwindowedRows || undefined}
        >
          <WindowedRows
            count={shown.length}
            height={rowHeight}
            scroller={list}
            draw={({ at, before, after, measure }) => (
              <>
                <Space height={before} />
                {at.map((place) => one(place, measure))}
                <Space height={after} />
              </>
            )}
          />
        </ol>
        <div className={css.default} data-hit={hit === 'rest' || undefined}>
          <Lock size={14} strokeWidth={2} aria-hidden="true" />
          <CornerDownRight size={14} strokeWidth={2} aria-hidden="true" />
          <span>{defaultRoute.description}</span>
          <span>{rest}</span>
        </div>
      </div>
      {readOnly ? null : (
        <div className={css.add}>
          <Button ref={add} size="sm" icon={Plus} onClick={addOne}>
            Add route
          </Button>
        </div>
      )}
      <p className="vh" role="status">
        {said}
      </p>
    </Section>
  )
}

/** Fills the space of the rows above or below the visible ones. */
const Space = ({ height }: { height: number }) =>
  height > 0 ? <li aria-hidden="true" className={css.space} style={{ height }} /> : null

const firstMatch = 'A call uses the first route that matches its number.'
const howToMove =
  'Drag and drop to change the order. With the keyboard: space to pick up, arrow keys to move, space to drop.'

/** Registers the labels of every row with the form, rendered or not, so that errors appear in the rows only. */
const useRowFacts = (count: number) => {
  const facts = useContext(FieldRegistryContext)
  useEffect(() => {
    const paths = Array.from({ length: count }, (_, at): [string, string][] => [
      [`routes.${at}.regex`, 'Digit prefix or regex'],
      [`routes.${at}.voip_carrier_sid`, 'Carrier'],
    ]).flat()
    paths.push(['routes', 'Routes'])
    for (const [path, label] of paths) facts.labels.set(path, label)
    return () => {
      for (const [path] of paths) facts.labels.delete(path)
    }
  }, [facts, count])
}
