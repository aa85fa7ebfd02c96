import { messages } from '@trunkline/contract/messages/lcr-route'
import { moveEntry } from './move-entry'
import { useLayoutEffect, useState, type RefObject } from 'react'
import { useController, useFormContext } from 'react-hook-form'
import { focusRow, revealRow } from './row-focus'
import type { RowHandlers } from './route-row'
import { useReorder } from './use-reorder'
import { createEmptyRoute, type RouteValues, type LcrValues } from './values'
import { useStableCallback } from '../../lib/use-stable-callback'

interface RoutesOptions {
  list: RefObject<HTMLElement | null>
  /** The Add button. */
  addButton: RefObject<HTMLElement | null>
  /** Deletes a stored route; returns false if it still exists. */
  onRemoveStored: (lcr_route_sid: string) => Promise<boolean>
}

/** The form's routes and the actions on them. Keeps the focus on the affected row. */
export const useRoutes = ({ list, addButton, onRemoveStored }: RoutesOptions) => {
  const { getValues } = useFormContext<LcrValues>()
  const { field } = useController<LcrValues, 'routes'>({ name: 'routes' })
  const rows = field.value
  const [announcement, announce] = useState('')
  const [touchedKeys, setTouchedKeys] = useState<ReadonlySet<string>>(new Set())

  const getRoutes = () => getValues('routes')
  const moveRoute = (from: number, to: number) => field.onChange(moveEntry(getRoutes(), from, to))
  const { rowMove, onHandlePointerDown, onHandleKeyDown } = useReorder({
    list,
    count: rows.length,
    onMove: moveRoute,
    announce,
  })
  const displayedRows = rowMove ? moveEntry(rows, rowMove.from, rowMove.to) : rows

  // a row that moves by keyboard keeps the focus and stays in view
  useLayoutEffect(() => {
    if (rowMove?.device !== 'keyboard') return
    revealRow(list.current, rowMove.to)
    focusRow(list.current, rowMove.key, 'handle')
  }, [rowMove, list])

  const updateRoute = (key: string, changes: Partial<RouteValues>) =>
    field.onChange(getRoutes().map((row) => (row.key === key ? { ...row, ...changes } : row)))
  const removeRoute = async (key: string) => {
    const index = getRoutes().findIndex((row) => row.key === key)
    const row = getRoutes()[index]
    if (!row || (row.lcr_route_sid && !(await onRemoveStored(row.lcr_route_sid)))) return
    const otherRoutes = getRoutes().filter((route) => route.key !== key)
    field.onChange(otherRoutes)
    const nextRoute = otherRoutes[Math.min(index, otherRoutes.length - 1)]
    if (nextRoute) focusRow(list.current, nextRoute.key, 'regex')
    else addButton.current?.focus()
  }
  const addRoute = () => {
    const newRoute = createEmptyRoute()
    field.onChange([...getRoutes(), newRoute])
    setTimeout(() => {
      revealRow(list.current, getRoutes().length - 1)
      focusRow(list.current, newRoute.key, 'regex')
    })
  }
  const handlers: RowHandlers = {
    onPatternChange: useStableCallback((key: string, regex: string) => updateRoute(key, { regex })),
    onCarrierChange: useStableCallback((key: string, voip_carrier_sid: string) =>
      updateRoute(key, { voip_carrier_sid }),
    ),
    onBlur: useStableCallback((key: string) =>
      setTouchedKeys((keys) => (keys.has(key) ? keys : new Set(keys).add(key))),
    ),
    onMoveBy: useStableCallback((key: string, offset: 1 | -1) => {
      const index = getRoutes().findIndex((row) => row.key === key)
      moveRoute(index, index + offset)
      announce(messages.order.moved(index + offset + 1, getRoutes().length))
      setTimeout(() => {
        revealRow(list.current, index + offset)
        focusRow(list.current, key, offset < 0 ? 'up' : 'down')
      })
    }),
    onRemove: useStableCallback((key: string) => void removeRoute(key)),
    onHandlePointerDown: useStableCallback(onHandlePointerDown),
    onHandleKeyDown: useStableCallback(onHandleKeyDown),
  }

  return { rows, displayedRows, rowMove, touchedKeys, announcement, addRoute, handlers }
}
