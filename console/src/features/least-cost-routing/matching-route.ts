import { maxNumberLength, normalizeNumber } from '@trunkline/contract/telephony/route-pattern'
import { findFirstMatch } from '@trunkline/contract/telephony/lcr'
import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import type { RouteValues, LcrValues } from './values'

/** The route that a number matches: its index, or 'default' for the default route. */
export type MatchingRoute = number | 'default'

/** Returns whether the text is a number that can be dialled. */
const isTestable = (digits: string) => /^[\d*#]+$/.test(digits) && digits.length <= maxNumberLength

/** Returns the route that a number matches in the form, saved or not; undefined for text that is not a number. */
export const findMatchingRoute = (
  number: string,
  routes: readonly Pick<RouteValues, 'regex'>[],
): MatchingRoute | undefined => {
  const digits = normalizeNumber(number)
  if (!isTestable(digits)) return undefined
  const patterns = routes.map(({ regex }) => regex.trim())
  return findFirstMatch(patterns, digits) ?? 'default'
}

/** `findMatchingRoute` with the values of the surrounding form. */
export const useMatchingRoute = (number: string) => {
  const routes = useWatch<LcrValues, 'routes'>({ name: 'routes' })
  return { routes, matchingRoute: useMemo(() => findMatchingRoute(number, routes), [number, routes]) }
}
