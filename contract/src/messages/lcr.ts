import { messages as access } from './access'

/** Messages about outbound routing tables (LCRs). */
export const messages = {
  purpose: 'Outbound call routing is used to select a carrier when there are multiple carriers available.',
  added: 'Least cost routing successfully created',
  saved: 'Least cost routing successfully updated',
  routesSaved: 'Least cost routing rule successfully updated',
  routeBeingRemoved: 'Deleting the route…',
  routeRemoved: 'Least cost routing rule successfully deleted',
  /** Shown after a deletion on the list. */
  removed: (name: string) => `Deleted outbound call route ${name}`,
  /** Shown after a deletion on the page of the LCR itself. */
  gone: (name: string) => `Deleted least cost routing ${name}`,
  none: 'No outbound call routes.',
  mayNotManageAll: access.mayNotManageAllRoutes,
  /** Another user has saved the routes since this page opened. */
  changedMeanwhile: 'Someone else changed these outbound call routes after you opened them.',
  noCarriers: 'There are no available carriers',
  noCarriersOfAccount: 'There are no available carriers defined for this account',

  /** Messages about one route: its pattern, its position and the result of a test number. */
  patternMissing: 'Enter a digit prefix or a regex.',
  carrierMissing: 'Choose a carrier.',
  carrierUnusable: 'This carrier cannot be used here: it belongs to another account or no longer exists.',
  /** Carriers that can be chosen but accept no calls. */
  inactiveCarrier: (name: string) => `${name} (inactive)`,
  noOutboundGateway: (name: string) => `${name} (no outbound gateway)`,
  badPattern: 'Not a valid prefix or regular expression.',
  plusInPattern: 'Leave out the +: numbers are compared without it.',
  slowPattern: 'This regex can match in too many ways: use fewer repeats such as * and +, and none inside another.',
  covered: (routes: readonly number[]) =>
    routes.length === 1
      ? `Never reached: route ${routes[0]} already matches these numbers.`
      : `Never reached: routes ${routes.slice(0, -1).join(', ')} and ${routes.at(-1)} already match these numbers.`,
  neverMatches: 'Never matches: numbers are compared without the +.',
  order: {
    lifted: (at: number, of: number) => `Route ${at} of ${of} lifted. Move it with the arrow keys, drop it with space.`,
    moved: (to: number, of: number) => `Moved to ${to} of ${of}.`,
    dropped: (to: number, of: number) => `Dropped at ${to} of ${of}.`,
    cancelled: (at: number) => `Back at ${at}.`,
  },
  trial: {
    match: 'match',
    noMatch: 'no match',
    notPrefix: (digits: string) => `does not begin with ${digits}`,
    blank: 'nothing entered yet',
    faulty: 'not usable',
    untested: 'not tested',
    /** Carriers in order: if one fails, the next one is tried. */
    inOrder: (names: readonly string[]) => names.join(', then '),
    noCarrier: 'No carrier is chosen for this route: the call would fail.',
    noGateway: 'This carrier has no gateway that takes outbound calls: the call would fail.',
    noActiveGateway: 'None of its outbound gateways is active: the call would fail.',
    inactiveCarrier: 'This carrier is inactive.',
    inactive: 'These routes are not active: they take no calls until they are.',
    notANumber: 'Enter the number as it is dialled: digits, with or without a +.',
  },
} as const
