import { matchesNumber, maxNumberLength, normalizeNumber } from '@trunkline/contract/telephony/route-pattern'
import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import type { RouteValues, LcrValues } from './values'

/** The route that a number matches: its index, or 'default' for the default route. */
export type MatchingRoute = number | 'default'

/** Returns whether the text is a number that can be dialed. */
const isTestable = (digits: string) => /^[\d*#]+$/.test(digits) && digits.length <= maxNumberLength

/** The index of the first matching pattern; undefined if the default route handles the number. */
export const findFirstMatch = (patterns: readonly string[], number: string): number | undefined => {
  const index = patterns.findIndex((pattern) => matchesNumber(pattern, number))
  return index < 0 ? undefined : index
}

/** Formats a number for a carrier: the tech prefix, then a plus if the carrier requires it, then the number. */
export const formatForCarrier = (
  { tech_prefix, e164_leading_plus }: { tech_prefix: string | null; e164_leading_plus: unknown },
  number: string,
): string => `${tech_prefix ?? ''}${e164_leading_plus ? '+' : ''}${normalizeNumber(number)}`

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
