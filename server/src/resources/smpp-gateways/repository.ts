import type { SmppGateway } from '@trunkline/contract/shapes/smpp-gateway'
import { chains } from '../../db/tenancy'
import { table, type Store } from '../../db/table'

export const smppGateways = (store: Store) =>
  table<SmppGateway>(store, { chain: chains.smpp_gateway, sortable: ['ipv4'] })
