import { defineRoute } from '../kit/route'
import type { AccountLimit, LimitDraft, LimitQuery, ProviderLimit } from '../shapes/limit'

export const limitsOfAccount = {
  list: defineRoute<{ query: LimitQuery; response: AccountLimit[] }>()(
    'GET',
    '/Accounts/:account_sid/Limits',
    'List the limits of an account',
  ),
  save: defineRoute<{ body: LimitDraft; response: { sid: string } }>()(
    'POST',
    '/Accounts/:account_sid/Limits',
    'Set a limit of an account',
  ),
  remove: defineRoute<{ query: LimitQuery }>()(
    'DELETE',
    '/Accounts/:account_sid/Limits',
    'Remove one or all limits of an account',
  ),
}

export const limitsOfProvider = {
  list: defineRoute<{ query: LimitQuery; response: ProviderLimit[] }>()(
    'GET',
    '/ServiceProviders/:service_provider_sid/Limits',
    'List the limits of a service provider',
  ),
  save: defineRoute<{ body: LimitDraft; response: { sid: string } }>()(
    'POST',
    '/ServiceProviders/:service_provider_sid/Limits',
    'Set a limit of a service provider',
  ),
  remove: defineRoute<{ query: LimitQuery }>()(
    'DELETE',
    '/ServiceProviders/:service_provider_sid/Limits',
    'Remove one or all limits of a service provider',
  ),
}
