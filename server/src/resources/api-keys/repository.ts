import type { ApiKey } from '@trunkline/contract/shapes/api-key'
import { ownerChains } from '../../db/tenancy'
import { repository, type Store } from '../../db/repository'

export const apiKeys = (store: Store) =>
  repository<ApiKey>(store, { chain: ownerChains.api_key, sortableColumns: ['created_at'] })

export type ApiKeys = ReturnType<typeof apiKeys>
