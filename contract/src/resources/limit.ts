import { route } from '../kit/route'
import type { AccountLimit, LimitDraft, LimitQuery, ProviderLimit } from '../shapes/limit'

export const limitsOfAccount = {
  list: route<{ query: LimitQuery; response: AccountLimit[] }>()(
    'GET',
    '/Accounts/:account_sid/Limits',
    'List the limits of an account',
  ),
  save: route<{ body: LimitDraft; response: { sid: string } }>()(
    'POST',
    '/Accounts/:account_sid/Limits',
    'Set a limit of an account',
  ),
  remove: route<{ query: LimitQuery }>()(
    'DELETE',
    '/Accounts/:account_sid/Limits',
    'Remove one limit of an account, or all',
  ),
}

export const limitsOfProvider = {
  list: route<{ query: LimitQuery; response: ProviderLimit[] }>()(
    'GET',
    '/ServiceProviders/:service_provider_sid/Limits',
    'List the limits of a service provider',
  ),
  save: route<{ body: LimitDraft; response: { sid: string } }>()(
    'POST',
    '/ServiceProviders/:service_provider_sid/Limits',
    'Set a limit of a service provider',
  ),
  remove: route<{ query: LimitQuery }>()(
    'DELETE',
    '/ServiceProviders/:service_provider_sid/Limits',
    'Remove one limit of a service provider, or all',
  ),
}
