import { resource } from '../kit/resource'
import { route } from '../kit/route'
import type { ListQuery, Page } from '../kit/page'
import type { VoipCarrier, VoipCarrierChanges, VoipCarrierDraft } from '../shapes/voip-carrier'

export const voipCarrier = resource<VoipCarrier, VoipCarrierDraft, VoipCarrierChanges>()({
  kind: 'voip_carrier',
  path: '/VoipCarriers',
  key: 'voip_carrier_sid',
  noun: { singular: 'carrier', plural: 'carriers' },
  title: (row) => row.name,
})

type List = { query: ListQuery; response: VoipCarrier[] | Page<VoipCarrier> }
type Create = { body: VoipCarrierDraft; response: { sid: string } }
type Update = { body: VoipCarrierChanges }

/** Carrier routes under a service provider, for administrators and providers. */
export const carriersOfProvider = {
  list: route<List>()(
    'GET',
    '/ServiceProviders/:service_provider_sid/VoipCarriers',
    'List the carriers of a service provider',
  ),
  create: route<Create>()(
    'POST',
    '/ServiceProviders/:service_provider_sid/VoipCarriers',
    'Add a carrier to a service provider',
  ),
  update: route<Update>()(
    'PUT',
    '/ServiceProviders/:service_provider_sid/VoipCarriers/:voip_carrier_sid',
    'Change a carrier of a service provider',
  ),
}

/** Carrier routes under an account, for account users. */
export const carriersOfAccount = {
  list: route<List>()('GET', '/Accounts/:account_sid/VoipCarriers', 'List the carriers of an account'),
  create: route<Create>()('POST', '/Accounts/:account_sid/VoipCarriers', 'Add a carrier to an account'),
  update: route<Update>()(
    'PUT',
    '/Accounts/:account_sid/VoipCarriers/:voip_carrier_sid',
    'Change a carrier of an account',
  ),
}
