import type { SipGateway } from '@trunkline/contract/shapes/sip-gateway'
import { chains } from '../../db/tenancy'
import { table, type Store } from '../../db/table'

export const sipGateways = (store: Store) => table<SipGateway>(store, { chain: chains.sip_gateway, sortable: ['ipv4'] })

export type SipGateways = ReturnType<typeof sipGateways>
