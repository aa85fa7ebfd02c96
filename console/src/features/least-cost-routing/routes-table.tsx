import { messages } from '@trunkline/contract/messages/lcr-route'
import { requiresPlus, findUnreachableRoutes } from '@trunkline/contract/telephony/route-pattern'
import { newDefaultRoute } from '@trunkline/contract/telephony/lcr'
import { CornerDownRight, Lock, Plus } from 'lucide-react'
import { useContext, useEffect, useId, useLayoutEffect, useMemo, useRef, type RefObject } from 'react'
import { useFormContext, type FieldError } from 'react-hook-form'
import { FieldRegistryContext } from '../../fields/field-registry'
import { Button } from '../../ui/button'
import type { ListboxOption } from '../../ui/form/listbox'
import { maxUnwindowedRows, WindowedRows } from '../../ui/table/windowed-rows'
import type { RowWindow } from '../../ui/table/row-window'
import { Section } from '../../ui/form/section'
import { revealRow, rowHeightPx } from './row-focus'
import { RouteRow } from './route-row'
import css from './routes-table.module.css'
import { useRoutes } from './use-routes'
import { findRouteErrors, type RouteValues, type LcrValues } from './values'

export interface RoutesTableProps {
  carrierOptions: ListboxOption[]
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
const findRouteHints = (rows: readonly RouteValues[]): Map<number, string> => {
  const patterns = rows.map(({ regex }) => regex.trim())
  const hints = new Map<number, string>()
  for (const [index, routes] of findUnreachableRoutes(patterns)) hints.set(index, messages.unreachable(routes))
  for (const [index, pattern] of patterns.entries()) if (requiresPlus(pattern)) hints.set(index, messages.neverMatches)
  return hints
}

/** Returns the errors of a row: validation errors once it lost the focus, and server errors. */
const getRowErrors = (
  row: RouteValues,
  formErrors: { regex?: FieldError; voip_carrier_sid?: FieldError } | undefined,
  isTouched: boolean,
  isSubmitted: boolean,
) => {
  const validationErrors = findRouteErrors(row)
  return {
    regexError: (isTouched || isSubmitted ? validationErrors.regex : undefined) ?? formErrors?.regex?.message,
    // a missing carrier is an error only after a save: the user may still be filling in the row
    carrierError:
      (isSubmitted ? validationErrors.voip_carrier_sid : undefined) ?? formErrors?.voip_carrier_sid?.message,
  }
}

interface RouteRowListProps extends Pick<RoutesTableProps, 'carrierOptions' | 'matchingRoute' | 'readOnly'> {
  list: RefObject<HTMLOListElement | null>
  instructionsId: string
  routes: ReturnType<typeof useRoutes>
}

/** The routes in their order. Renders only the visible rows of a long list. */
const RouteRowList = ({ list, carrierOptions, matchingRoute, readOnly, instructionsId, routes }: RouteRowListProps) => {
  const { errors, isSubmitted } = useFormContext<LcrValues>().formState
  const { rows, displayedRows, rowMove, touchedKeys, handlers } = routes
  const hints = useMemo(() => findRouteHints(rows), [rows])

  const renderRow = (index: number, measure: RowWindow['measure']) => {
    const row = displayedRows[index]
    if (!row) return null
    // errors and notes stay with the row while it moves
    const originalIndex = rowMove ? rows.indexOf(row) : index
    return (
      <RouteRow
        key={row.key}
        {...handlers}
        {...getRowErrors(row, errors.routes?.[originalIndex], touchedKeys.has(row.key), isSubmitted)}
        hint={hints.get(originalIndex)}
        isMatch={matchingRoute === originalIndex}
        isBeingMoved={rowMove?.key === row.key}
        rowKey={row.key}
        index={index}
        isLast={index === displayedRows.length - 1}
        regex={row.regex}
        carrierSid={row.voip_carrier_sid}
        otherCarrierCount={Math.max(0, row.entries.length - 1)}
        carrierOptions={carrierOptions}
        readOnly={readOnly}
        isDebounced={rows.length > maxUnwindowedRows}
        instructionsId={instructionsId}
        measure={measure}
      />
    )
  }

  return (
    <ol
      ref={list}
      className={css.rows}
      aria-label="Routes"
      data-scrolls={displayedRows.length > maxUnwindowedRows || undefined}
    >
      <WindowedRows
        count={displayedRows.length}
        rowHeight={rowHeightPx}
        scroller={list}
        render={({ indexes, heightBefore, heightAfter, measure }) => (
          <>
            <Spacer height={heightBefore} />
            {indexes.map((index) => renderRow(index, measure))}
            <Spacer height={heightAfter} />
          </>
        )}
      />
    </ol>
  )
}

const matchRule = 'A call uses the first route that matches its number.'
const moveInstructions =
  'Drag and drop to change the order. With the keyboard: space to pick up, arrow keys to move, space to drop.'

/** The ordered routes of an LCR and its default route. Each has a pattern and a carrier; the first match wins. */
export const RoutesTable = (props: RoutesTableProps) => {
  const { carrierOptions, defaultCarrierName, matchingRoute, readOnly, onRemoveStored, firstInvalid } = props
  const { errors } = useFormContext<LcrValues>().formState
  const list = useRef<HTMLOListElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const instructionsId = useId()
  const routes = useRoutes({ list, addButton, onRemoveStored })
  useRegisterRowLabels(routes.rows.length)

  useLayoutEffect(() => {
    if (firstInvalid) revealRow(list.current, firstInvalid.index)
  }, [firstInvalid])

  return (
    <Section
      title="Routes (first match wins)"
      required={!readOnly}
      error={errors.routes?.message}
      help={<span id={instructionsId}>{readOnly ? matchRule : `${matchRule} ${moveInstructions}`}</span>}
    >
      <div className={css.table} data-read-only={readOnly || undefined}>
        <div className={css.head} aria-hidden="true">
          <span />
          <span />
          <span>Digit prefix or regex</span>
          <span>Carrier</span>
        </div>
        <RouteRowList
          list={list}
          carrierOptions={carrierOptions}
          matchingRoute={matchingRoute}
          readOnly={readOnly}
          instructionsId={instructionsId}
          routes={routes}
        />
        <div className={css.default} data-match={matchingRoute === 'default' || undefined}>
          <Lock size={14} strokeWidth={2} aria-hidden="true" />
          <CornerDownRight size={14} strokeWidth={2} aria-hidden="true" />
          <span>{newDefaultRoute.description}</span>
          <span>{defaultCarrierName}</span>
        </div>
      </div>
      {readOnly ? null : (
        <div className={css.add}>
          <Button ref={addButton} size="sm" icon={Plus} onClick={routes.addRoute}>
            Add route
          </Button>
        </div>
      )}
      <p className="visually-hidden" role="status">
        {routes.announcement}
      </p>
    </Section>
  )
}

/** Fills the space of the rows above or below the visible ones. */
const Spacer = ({ height }: { height: number }) =>
  height > 0 ? <li aria-hidden="true" className={css.spacer} style={{ height }} /> : null

/** Registers the labels of every row with the form, rendered or not, so that errors appear in the rows only. */
const useRegisterRowLabels = (rowCount: number) => {
  const fieldRegistry = useContext(FieldRegistryContext)
  useEffect(() => {
    const paths = Array.from({ length: rowCount }, (_, index): [string, string][] => [
      [`routes.${index}.regex`, 'Digit prefix or regex'],
      [`routes.${index}.voip_carrier_sid`, 'Carrier'],
    ]).flat()
    paths.push(['routes', 'Routes'])
    for (const [path, label] of paths) fieldRegistry.labels.set(path, label)
    return () => {
      for (const [path] of paths) fieldRegistry.labels.delete(path)
    }
  }, [fieldRegistry, rowCount])
}
