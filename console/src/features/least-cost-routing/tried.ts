import { maxNumberLength, normalizeNumber } from '@trunkline/contract/telephony/route-pattern'
import { firstMatch } from '@trunkline/contract/telephony/lcr'
import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import type { RouteValues, TableValues } from './values'

/** Where a number goes: the place of a route, or the default. */
export type Hit = number | 'rest'

const canBeTried = (plain: string) => /^[\d*#]+$/.test(plain) && plain.length <= maxNumberLength

/** The route that takes a number by what is on screen, saved or not; undefined when there is nothing to try. */
export const hitOf = (number: string, routes: readonly Pick<RouteValues, 'regex'>[]): Hit | undefined => {
  const plain = normalizeNumber(number)
  if (!canBeTried(plain)) return undefined
  const patterns = routes.map(({ regex }) => regex.trim())
  return firstMatch(patterns, plain) ?? 'rest'
}

/** The same for the form around. */
export const useTried = (number: string) => {
  const routes = useWatch<TableValues, 'routes'>({ name: 'routes' })
  return { routes, hit: useMemo(() => hitOf(number, routes), [number, routes]) }
}
