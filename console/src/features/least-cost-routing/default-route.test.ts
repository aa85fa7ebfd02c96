import { describe, expect, it } from 'vitest'
import { countWithoutDefault, separateDefaultRoute } from './default-route'

describe('the default route of an LCR', () => {
  it('is not counted', () => expect([0, 1, 5].map(countWithoutDefault)).toEqual([0, 0, 4]))

  it('is found by the default carrier, or else by the priority', () => {
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
})
