import { messages } from '@trunkline/contract/messages/lcr'
import { requiresPlus, findUnreachableRoutes } from '@trunkline/contract/telephony/route-pattern'
import { defaultRoute } from '@trunkline/contract/telephony/lcr'
import { CornerDownRight, Lock, Plus } from 'lucide-react'
import { useContext, useEffect, useId, useLayoutEffect, useMemo, useRef } from 'react'
import { useFormContext, type FieldError } from 'react-hook-form'
import { FieldRegistryContext } from '../../fields/field-registry'
import { Button } from '../../ui/button'
import type { ListboxOption } from '../../ui/form/listbox'
import { maxUnwindowedRows, WindowedRows } from '../../ui/table/windowed-rows'
import type { RowWindow } from '../../ui/table/row-window'
import { Section } from '../../ui/form/section'
import { revealRow, rowHeight } from './row-focus'
import { RouteRow } from './route-row'
import css from './routes-table.module.css'
import { useRoutes } from './use-routes'
import { routeErrors, type RouteValues, type LcrValues } from './values'

export interface RoutesTableProps {
  carriers: ListboxOption[]
  /** The name of the default route's carrier. */
  defaultCarrierName: string | undefined
  /** The index of the route that matches the number in the "Test a number" field; 'default' is the default route. */
  matchingRoute: number | 'default' | undefined
  readOnly: boolean
  /** Deletes a stored route; returns false if it still exists. */
  onRemoveStored: (lcr_route_sid: string) => Promise<boolean>
  /** The index of the first invalid route; a new object after each refused save. */
  firstInvalid: { index: number } | undefined
}

/** Returns notes by index: routes that are never reached or never match. */
const findHints = (rows: readonly RouteValues[]): Map<number, string> => {
  const patterns = rows.map(({ regex }) => regex.trim())
  const hints = new Map<number, string>()
  for (const [index, routes] of findUnreachableRoutes(patterns)) hints.set(index, messages.unreachable(routes))
  for (const [index, pattern] of patterns.entries()) if (requiresPlus(pattern)) hints.set(index, messages.neverMatches)
  return hints
}

/** Returns the errors of a row: validation errors once it lost the focus, and server errors. */
const rowErrors = (
  row: RouteValues,
  formErrors: { regex?: FieldError; voip_carrier_sid?: FieldError } | undefined,
  isTouched: boolean,
  isSubmitted: boolean,
) => {
  const ownErrors = routeErrors(row)
  return {
    regexError: (isTouched || isSubmitted ? ownErrors.regex : undefined) ?? formErrors?.regex?.message,
    // a missing carrier is an error only after a save: the user may still be filling in the row
    carrierError: (isSubmitted ? ownErrors.voip_carrier_sid : undefined) ?? formErrors?.voip_carrier_sid?.message,
  }
}

/** The ordered routes of an LCR and its default route. Each has a pattern and a carrier; the first match wins. */
export const RoutesTable = ({
  carriers,
  defaultCarrierName,
  matchingRoute,
  readOnly,
  onRemoveStored,
  firstInvalid,
}: RoutesTableProps) => {
  const { errors, isSubmitted } = useFormContext<LcrValues>().formState
  const list = useRef<HTMLOListElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const instructionsId = useId()
  const { rows, displayedRows, lift, touchedKeys, announcement, addRoute, handlers } = useRoutes({
    list,
    addButton,
    onRemoveStored,
  })
  const hints = useMemo(() => findHints(rows), [rows])
  useRowLabels(rows.length)

  useLayoutEffect(() => {
    if (firstInvalid) revealRow(list.current, firstInvalid.index)
  }, [firstInvalid])

  const renderRow = (index: number, measure: RowWindow['measure']) => {
    const row = displayedRows[index]
    if (!row) return null
    // errors and notes stay with the row while it moves
    const originalIndex = lift ? rows.indexOf(row) : index
    return (
      <RouteRow
        key={row.key}
        {...handlers}
        {...rowErrors(row, errors.routes?.[originalIndex], touchedKeys.has(row.key), isSubmitted)}
        hint={hints.get(originalIndex)}
        isMatch={matchingRoute === originalIndex}
        isLifted={lift?.key === row.key}
        rowKey={row.key}
        index={index}
        isLast={index === displayedRows.length - 1}
        regex={row.regex}
        carrier={row.voip_carrier_sid}
        otherCarrierCount={Math.max(0, row.entries.length - 1)}
        carriers={carriers}
        readOnly={readOnly}
        isLong={rows.length > maxUnwindowedRows}
        instructionsId={instructionsId}
        measure={measure}
      />
    )
  }

  return (
    <Section
      title="Route based on first match"
      required={!readOnly}
      error={errors.routes?.message}
      help={<span id={instructionsId}>{readOnly ? matchRule : moveInstructions}</span>}
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
          data-many={displayedRows.length > maxUnwindowedRows || undefined}
        >
          <WindowedRows
            count={displayedRows.length}
            height={rowHeight}
            scroller={list}
            draw={({ at: indexes, before: heightBefore, after: heightAfter, measure }) => (
              <>
                <Space height={heightBefore} />
                {indexes.map((index) => renderRow(index, measure))}
                <Space height={heightAfter} />
              </>
            )}
          />
        </ol>
        <div className={css.default} data-match={matchingRoute === 'default' || undefined}>
          <Lock size={14} strokeWidth={2} aria-hidden="true" />
          <CornerDownRight size={14} strokeWidth={2} aria-hidden="true" />
          <span>{defaultRoute.description}</span>
          <span>{defaultCarrierName}</span>
        </div>
      </div>
      {readOnly ? null : (
        <div className={css.add}>
          <Button ref={addButton} size="sm" icon={Plus} onClick={addRoute}>
            Add route
          </Button>
        </div>
      )}
      <p className="vh" role="status">
        {announcement}
      </p>
    </Section>
  )
}

/** Fills the space of the rows above or below the visible ones. */
const Space = ({ height }: { height: number }) =>
  height > 0 ? <li aria-hidden="true" className={css.space} style={{ height }} /> : null

const matchRule = 'A call uses the first route that matches its number.'
const moveInstructions =
  'Drag and drop to change the order. With the keyboard: space to pick up, arrow keys to move, space to drop.'

/** Registers the labels of every row with the form, rendered or not, so that errors appear in the rows only. */
const useRowLabels = (count: number) => {
  const facts = useContext(FieldRegistryContext)
  useEffect(() => {
    const paths = Array.from({ length: count }, (_, index): [string, string][] => [
      [`routes.${index}.regex`, 'Digit prefix or regex'],
      [`routes.${index}.voip_carrier_sid`, 'Carrier'],
    ]).flat()
    paths.push(['routes', 'Routes'])
    for (const [path, label] of paths) facts.labels.set(path, label)
    return () => {
      for (const [path] of paths) facts.labels.delete(path)
    }
  }, [facts, count])
}
