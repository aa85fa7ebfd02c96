import { maxNumberLength, normalizeNumber } from '@trunkline/contract/telephony/route-pattern'
import { firstMatch } from '@trunkline/contract/telephony/lcr'
import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import type { RouteValues, TableValues } from './values'

/** The route that a number matches: its index, or 'rest' for the default route. */
export type Hit = number | 'rest'

const canBeTried = (plain: string) => /^[\d*#]+$/.test(plain) && plain.length <= maxNumberLength

/** Returns the route that a number matches in the form, saved or not; undefined if the number cannot be tried. */
export const hitOf = (number: string, routes: readonly Pick<RouteValues, 'regex'>[]): Hit | undefined => {
  const plain = normalizeNumber(number)
  if (!canBeTried(plain)) return undefined
  const patterns = routes.map(({ regex }) => regex.trim())
  return firstMatch(patterns, plain) ?? 'rest'
}

/** `hitOf` with the values of the surrounding form. */
export const useTried = (number: string) => {
  const routes = useWatch<TableValues, 'routes'>({ name: 'routes' })
  return { routes, hit: useMemo(() => hitOf(number, routes), [number, routes]) }
}
