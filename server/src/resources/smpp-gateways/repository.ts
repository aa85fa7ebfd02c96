import type { SmppGateway } from '@trunkline/contract/shapes/smpp-gateway'
import { ownerChains } from '../../db/tenancy'
import { repository, type Store } from '../../db/repository'

export const smppGateways = (store: Store) =>
  repository<SmppGateway>(store, { chain: ownerChains.smpp_gateway, sortableColumns: ['ipv4'] })
