import { defineResource } from '../kit/resource'
import { defineRoute } from '../kit/route'
import type { ListQuery, Page } from '../kit/page'
import type { VoipCarrier, VoipCarrierChanges, VoipCarrierDraft } from '../shapes/voip-carrier'

export const voipCarrier = defineResource<VoipCarrier, VoipCarrierDraft, VoipCarrierChanges>()({
  kind: 'voip_carrier',
  path: '/VoipCarriers',
  key: 'voip_carrier_sid',
  noun: { singular: 'carrier', plural: 'carriers' },
  title: (row) => row.name,
})

type ListRoute = { query: ListQuery; response: VoipCarrier[] | Page<VoipCarrier> }
type CreateRoute = { body: VoipCarrierDraft; response: { sid: string } }
type UpdateRoute = { body: VoipCarrierChanges }

/** Carrier routes under a service provider, for administrators and providers. */
export const carriersOfProvider = {
  list: defineRoute<ListRoute>()(
    'GET',
    '/ServiceProviders/:service_provider_sid/VoipCarriers',
    'List the carriers of a service provider',
  ),
  create: defineRoute<CreateRoute>()(
    'POST',
    '/ServiceProviders/:service_provider_sid/VoipCarriers',
    'Add a carrier to a service provider',
  ),
  update: defineRoute<UpdateRoute>()(
    'PUT',
    '/ServiceProviders/:service_provider_sid/VoipCarriers/:voip_carrier_sid',
    'Update a carrier of a service provider',
  ),
}

/** Carrier routes under an account, for account users. */
export const carriersOfAccount = {
  list: defineRoute<ListRoute>()('GET', '/Accounts/:account_sid/VoipCarriers', 'List the carriers of an account'),
  create: defineRoute<CreateRoute>()('POST', '/Accounts/:account_sid/VoipCarriers', 'Add a carrier to an account'),
  update: defineRoute<UpdateRoute>()(
    'PUT',
    '/Accounts/:account_sid/VoipCarriers/:voip_carrier_sid',
    'Update a carrier of an account',
  ),
}
