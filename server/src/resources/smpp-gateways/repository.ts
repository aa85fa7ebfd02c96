import type { SmppGateway } from '@trunkline/contract/shapes/smpp-gateway'
import { ownershipByKind } from '../../db/tenancy'
import { createRepository, type Store } from '../../db/repository'

export const createSmppGatewayRepository = (store: Store) =>
  createRepository<SmppGateway>(store, { ownership: ownershipByKind.smpp_gateway, sortableColumns: ['ipv4'] })
