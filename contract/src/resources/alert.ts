import { route } from '../kit/route'
import type { Alert, AlertGroup, AlertQuery, TimedPage } from '../shapes/recent-call'

type List = { query: AlertQuery; response: TimedPage<Alert> }

const list = 'List alerts, the newest first'

export const alertsOfAccount = route<List>()('GET', '/Accounts/:account_sid/Alerts', list)
/** Alerts of the provider itself and of all its accounts. */
export const alertsOfProvider = route<List>()('GET', '/ServiceProviders/:service_provider_sid/Alerts', list)

type Groups = { query: AlertQuery; response: TimedPage<AlertGroup> }

const groups = 'List alerts grouped by type and message, the group with the newest alert first'

/** Trunkline additions: server capability `alertGroups`. */
export const alertGroupsOfAccount = route<Groups>()('GET', '/Accounts/:account_sid/AlertGroups', groups)
export const alertGroupsOfProvider = route<Groups>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/AlertGroups',
  groups,
)
