import { messages as access } from './access'

/** Messages about outbound routing tables (LCRs). */
export const messages = {
  purpose: 'Outbound call routing is used to select a carrier when there are multiple carriers available.',
  added: 'Least cost routing successfully created',
  saved: 'Least cost routing successfully updated',
  routesSaved: 'Least cost routing rule successfully updated',
  removingRoute: 'Deleting the route…',
  routeRemoved: 'Least cost routing rule successfully deleted',
  /** Shown after a deletion on the list. */
  removed: (name: string) => `Deleted outbound call route ${name}`,
  /** Shown after a deletion on the page of the LCR itself. */
  removedOnPage: (name: string) => `Deleted least cost routing ${name}`,
  none: 'No outbound call routes.',
  mayNotManageAll: access.mayNotManageAllRoutes,
  /** Another user has saved the routes since this page opened. */
  changedMeanwhile: 'Someone else changed these outbound call routes after you opened them.',
  noCarriers: 'There are no available carriers',
  noCarriersOfAccount: 'There are no available carriers defined for this account',

  /** Messages about one route: its pattern, its position and the result of a test number. */
  patternMissing: 'Enter a digit prefix or a regex.',
  carrierMissing: 'Choose a carrier.',
  carrierUnusable: 'This carrier belongs to another account or no longer exists. Choose another carrier.',
  /** Carriers that can be chosen but accept no calls. */
  inactiveCarrier: (name: string) => `${name} (inactive)`,
  noOutboundGateway: (name: string) => `${name} (no outbound gateway)`,
  invalidPattern: 'Not a valid prefix or regular expression.',
  plusNotAllowed: 'Remove the +. Numbers are compared without it.',
  slowPattern: 'This regex would be too slow. Use fewer repetitions such as * and +, and do not nest them.',
  unreachable: (routes: readonly number[]) =>
    routes.length === 1
      ? `Never reached: route ${routes[0]} already matches these numbers.`
      : `Never reached: routes ${routes.slice(0, -1).join(', ')} and ${routes.at(-1)} already match these numbers.`,
  neverMatches: 'Never matches. Numbers are compared without the +.',
  order: {
    pickedUp: (position: number, total: number) =>
      `Picked up route ${position} of ${total}. Use the arrow keys to move it and space to drop it.`,
    moved: (position: number, total: number) => `Moved to position ${position} of ${total}.`,
    dropped: (position: number, total: number) => `Dropped at position ${position} of ${total}.`,
    cancelled: (position: number) => `Cancelled. Back at position ${position}.`,
  },
  numberTest: {
    match: 'match',
    noMatch: 'no match',
    notPrefix: (digits: string) => `does not start with ${digits}`,
    empty: 'empty',
    invalid: 'not valid',
    notTested: 'not tested',
    /** Carriers in order: if one fails, the next one is tried. */
    inOrder: (names: readonly string[]) => names.join(', then '),
    noCarrier: 'This route has no carrier. The call would fail.',
    noGateway: 'This carrier has no outbound gateway. The call would fail.',
    noActiveGateway: 'This carrier has no active outbound gateway. The call would fail.',
    inactiveCarrier: 'This carrier is inactive.',
    inactive: 'These routes are inactive, so no calls use them.',
    invalidNumber: 'Enter the number as dialled: digits, with or without a +.',
  },
} as const
