import { describe, expect, it } from 'vitest'
import { findFirstMatch, moveEntry, formatForCarrier, countWithoutDefault, separateDefaultRoute } from './lcr'

describe('an LCR', () => {
  it.each<[number, number, string]>([
    [0, 2, 'bcad'],
    [3, 0, 'dabc'],
    [1, 1, 'abcd'],
    [2, 3, 'abdc'],
  ])('moves the route at index %i to %i', (from, to, order) =>
    expect(moveEntry([...'abcd'], from, to).join('')).toBe(order),
  )

  it('does not count the default route', () => expect([0, 1, 5].map(countWithoutDefault)).toEqual([0, 0, 4]))

  it('finds the default route by the default carrier, or else by the priority', () => {
    const route = (regex: string, priority: number, lcr_carrier_set_entry_sid: string) => ({
      regex,
      priority,
      lcr_carrier_set_entries: [{ lcr_carrier_set_entry_sid }],
    })
    const routes = [route('1', 0, 'a'), route('.*', 7, 'b'), route('.*', 9999, 'c')]
    expect(separateDefaultRoute(routes, 'b')).toEqual({
      orderedRoutes: [routes[0], routes[2]],
      defaultRoute: routes[1],
    })
    expect(separateDefaultRoute(routes, null).defaultRoute).toBe(routes[2])
    expect(separateDefaultRoute(routes.slice(0, 1), null)).toEqual({
      orderedRoutes: [routes[0]],
      defaultRoute: undefined,
    })
  })

  it('uses the first route that matches', () => {
    expect(findFirstMatch(['^44', '1', '.*'], '+1617')).toBe(1)
    expect(findFirstMatch(['^44', ''], '+1617')).toBeUndefined()
  })

  it('formats a number for its carrier', () => {
    expect(formatForCarrier({ tech_prefix: '4471#', e164_leading_plus: 1 }, '+1 617')).toBe('4471#+1617')
    expect(formatForCarrier({ tech_prefix: null, e164_leading_plus: 0 }, '+1 617')).toBe('1617')
  })
})
