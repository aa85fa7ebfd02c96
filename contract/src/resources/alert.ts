import { defineRoute } from '../kit/route'
import type { Alert, AlertGroup, AlertGroupQuery, AlertQuery, EventPage } from '../shapes/recent-call'

/** The maximum number of groups in a list. The groups with the oldest alerts are left out. */
export const maxAlertGroups = 5000

type ListRoute = { query: AlertQuery; response: EventPage<Alert> }

const listSummary = 'List alerts, the newest first'

export const alertsOfAccount = defineRoute<ListRoute>()('GET', '/Accounts/:account_sid/Alerts', listSummary)
/** Alerts of the provider itself and of all its accounts. */
export const alertsOfProvider = defineRoute<ListRoute>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/Alerts',
  listSummary,
)

type GroupsRoute = { query: AlertGroupQuery; response: EventPage<AlertGroup> }

const groupsSummary = 'List alerts grouped by type and message, the group with the newest alert first'

/** Trunkline additions: server capability `alertGroups`. */
export const alertGroupsOfAccount = defineRoute<GroupsRoute>()(
  'GET',
  '/Accounts/:account_sid/AlertGroups',
  groupsSummary,
)
export const alertGroupsOfProvider = defineRoute<GroupsRoute>()(
  'GET',
  '/ServiceProviders/:service_provider_sid/AlertGroups',
  groupsSummary,
)
