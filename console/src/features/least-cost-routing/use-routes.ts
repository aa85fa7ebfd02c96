import { messages } from '@trunkline/contract/messages/lcr'
import { moveEntry } from '@trunkline/contract/telephony/lcr'
import { useLayoutEffect, useState, type RefObject } from 'react'
import { useController, useFormContext } from 'react-hook-form'
import { focusRow, revealRow } from './row-focus'
import type { RowHandlers } from './route-row'
import { useReorder } from './use-reorder'
import { blankRoute, type RouteValues, type TableValues } from './values'
import { useStableCallback } from '../../lib/use-stable-callback'

interface Places {
  list: RefObject<HTMLElement | null>
  /** The Add button. */
  add: RefObject<HTMLElement | null>
  /** Deletes a stored route; returns false if it still exists. */
  onRemoveStored: (lcr_route_sid: string) => Promise<boolean>
}

/** The form's routes and the actions on them. Keeps the focus on the affected row. */
export const useRoutes = ({ list, add, onRemoveStored }: Places) => {
  const { getValues } = useFormContext<TableValues>()
  const { field } = useController<TableValues, 'routes'>({ name: 'routes' })
  const rows = field.value
  const [said, say] = useState('')
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())

  const now = () => getValues('routes')
  const move = (from: number, to: number) => field.onChange(moveEntry(now(), from, to))
  const { lift, onGripDown, onGripKey } = useReorder({ list, count: rows.length, onMove: move, say })
  const shown = lift ? moveEntry(rows, lift.from, lift.to) : rows

  // a lifted row keeps the focus and stays in view
  useLayoutEffect(() => {
    if (lift?.by !== 'keys') return
    revealRow(list.current, lift.to)
    focusRow(list.current, lift.key, 'grip')
  }, [lift, list])

  const change = (key: string, part: Partial<RouteValues>) =>
    field.onChange(now().map((row) => (row.key === key ? { ...row, ...part } : row)))
  const remove = async (key: string) => {
    const at = now().findIndex((row) => row.key === key)
    const row = now()[at]
    if (!row || (row.lcr_route_sid && !(await onRemoveStored(row.lcr_route_sid)))) return
    const others = now().filter((each) => each.key !== key)
    field.onChange(others)
    const next = others[Math.min(at, others.length - 1)]
    if (next) focusRow(list.current, next.key, 'regex')
    else add.current?.focus()
  }
  const addOne = () => {
    const fresh = blankRoute()
    field.onChange([...now(), fresh])
    setTimeout(() => {
      revealRow(list.current, now().length - 1)
      focusRow(list.current, fresh.key, 'regex')
    })
  }
  const handlers: RowHandlers = {
    onRegex: useStableCallback((key: string, regex: string) => change(key, { regex })),
    onCarrier: useStableCallback((key: string, voip_carrier_sid: string) => change(key, { voip_carrier_sid })),
    onLeft: useStableCallback((key: string) => setLeft((known) => (known.has(key) ? known : new Set(known).add(key)))),
    onStep: useStableCallback((key: string, by: 1 | -1) => {
      const at = now().findIndex((row) => row.key === key)
      move(at, at + by)
      say(messages.order.moved(at + by + 1, now().length))
      setTimeout(() => {
        revealRow(list.current, at + by)
        focusRow(list.current, key, by < 0 ? 'up' : 'down')
      })
    }),
    onRemove: useStableCallback((key: string) => void remove(key)),
    onGripDown: useStableCallback(onGripDown),
    onGripKey: useStableCallback(onGripKey),
  }

  return { rows, shown, lift, left, said, addOne, handlers }
}
