import type { SipGateway } from '@trunkline/contract/shapes/sip-gateway'
import { ownershipByKind } from '../../db/tenancy'
import { createRepository, type Store } from '../../db/repository'

export const createSipGatewayRepository = (store: Store) =>
  createRepository<SipGateway>(store, { ownership: ownershipByKind.sip_gateway, sortableColumns: ['ipv4'] })

export type SipGateways = ReturnType<typeof createSipGatewayRepository>
