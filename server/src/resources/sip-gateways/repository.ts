import type { SipGateway } from '@trunkline/contract/shapes/sip-gateway'
import { ownerChains } from '../../db/tenancy'
import { repository, type Store } from '../../db/repository'

export const sipGateways = (store: Store) =>
  repository<SipGateway>(store, { chain: ownerChains.sip_gateway, sortableColumns: ['ipv4'] })

export type SipGateways = ReturnType<typeof sipGateways>
