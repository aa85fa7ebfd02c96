import { messages } from '@trunkline/contract/messages/lcr'
import { moveEntry } from '@trunkline/contract/telephony/lcr'
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

  const currentRoutes = () => getValues('routes')
  const move = (from: number, to: number) => field.onChange(moveEntry(currentRoutes(), from, to))
  const { lift, onGripDown, onGripKey } = useReorder({ list, count: rows.length, onMove: move, announce })
  const displayedRows = lift ? moveEntry(rows, lift.from, lift.to) : rows

  // a lifted row keeps the focus and stays in view
  useLayoutEffect(() => {
    if (lift?.input !== 'keys') return
    revealRow(list.current, lift.to)
    focusRow(list.current, lift.key, 'grip')
  }, [lift, list])

  const updateRoute = (key: string, changes: Partial<RouteValues>) =>
    field.onChange(currentRoutes().map((row) => (row.key === key ? { ...row, ...changes } : row)))
  const remove = async (key: string) => {
    const index = currentRoutes().findIndex((row) => row.key === key)
    const row = currentRoutes()[index]
    if (!row || (row.lcr_route_sid && !(await onRemoveStored(row.lcr_route_sid)))) return
    const otherRoutes = currentRoutes().filter((route) => route.key !== key)
    field.onChange(otherRoutes)
    const nextRoute = otherRoutes[Math.min(index, otherRoutes.length - 1)]
    if (nextRoute) focusRow(list.current, nextRoute.key, 'regex')
    else addButton.current?.focus()
  }
  const addRoute = () => {
    const newRoute = createEmptyRoute()
    field.onChange([...currentRoutes(), newRoute])
    setTimeout(() => {
      revealRow(list.current, currentRoutes().length - 1)
      focusRow(list.current, newRoute.key, 'regex')
    })
  }
  const handlers: RowHandlers = {
    onRegex: useStableCallback((key: string, regex: string) => updateRoute(key, { regex })),
    onCarrier: useStableCallback((key: string, voip_carrier_sid: string) => updateRoute(key, { voip_carrier_sid })),
    onLeave: useStableCallback((key: string) =>
      setTouchedKeys((keys) => (keys.has(key) ? keys : new Set(keys).add(key))),
    ),
    onStep: useStableCallback((key: string, offset: 1 | -1) => {
      const index = currentRoutes().findIndex((row) => row.key === key)
      move(index, index + offset)
      announce(messages.order.moved(index + offset + 1, currentRoutes().length))
      setTimeout(() => {
        revealRow(list.current, index + offset)
        focusRow(list.current, key, offset < 0 ? 'up' : 'down')
      })
    }),
    onRemove: useStableCallback((key: string) => void remove(key)),
    onGripDown: useStableCallback(onGripDown),
    onGripKey: useStableCallback(onGripKey),
  }

  return { rows, displayedRows, lift, touchedKeys, announcement, addRoute, handlers }
}
