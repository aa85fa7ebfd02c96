import { route } from '../kit/route'
import type { Alert, AlertQuery, Timed } from '../shapes/recent-call'

type List = { query: AlertQuery; answer: Timed<Alert> }

const list = 'List alerts, the newest first'

export const alertsOfAccount = route<List>()('GET', '/Accounts/:account_sid/Alerts', list)
/** Those of the provider itself and of all its accounts. */
export const alertsOfProvider = route<List>()('GET', '/ServiceProviders/:service_provider_sid/Alerts', list)
