const carrierProblems = {
  inactive: 'This carrier is inactive',
  noGateway: 'This carrier has no outbound gateway',
  noActiveGateway: 'This carrier has no active outbound gateway',
} as const

const consequences = {
  only: 'the call would fail',
  notLast: 'the next carrier is tried',
  last: 'it cannot take the call',
} as const

/** Why a carrier cannot take a call. */
export type CarrierProblem = keyof typeof carrierProblems
/** The position of a carrier in its route: the only one, the last of several, or one before it. */
export type CarrierPosition = keyof typeof consequences

/** Messages about one route of an outbound routing table: its pattern, its position and the result of a test number. */
export const messages = {
  patternMissing: 'Enter a digit prefix or a regex.',
  carrierMissing: 'Choose a carrier.',
  carrierUnusable: 'This carrier belongs to another account or no longer exists. Choose another carrier.',
  /** Carriers that can be chosen but accept no calls. */
  inactiveCarrier: (name: string) => `${name} (inactive)`,
  noOutboundGateway: (name: string) => `${name} (no outbound gateway)`,
  invalidPattern: 'Not a valid digit prefix or regex.',
  plusNotAllowed: 'Remove the +. Numbers are compared without it.',
  slowPattern: 'This regex would be too slow. Use fewer repetitions such as * and +, and do not nest them.',
  unreachable: (routes: readonly number[]) =>
    routes.length === 1
      ? `Never reached: route ${routes[0]} already matches these numbers.`
      : `Never reached: routes ${routes.slice(0, -1).join(', ')} and ${routes.at(-1)} already match these numbers.`,
  neverMatches: 'Never matches: numbers are compared without the +. Remove the + from the pattern.',
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
    empty: 'no pattern',
    invalid: 'not valid',
    notTested: 'not reached',
    /** Carriers in order: if one fails, the next one is tried. */
    inOrder: (names: readonly string[]) => names.join(', then '),
    noCarrier: 'This route has no carrier, so the call would fail.',
    /** Says why a carrier cannot take the call, and what follows. */
    unusableCarrier: (problem: CarrierProblem, position: CarrierPosition) =>
      `${carrierProblems[problem]}, so ${consequences[position]}.`,
    inactive: 'These routes are inactive, so no calls use them.',
    invalidNumber: 'Enter the number as dialed: digits, with or without a +.',
  },
} as const
