import type { ApiKey } from '@trunkline/contract/shapes/api-key'
import { chains } from '../../db/tenancy'
import { table, type Store } from '../../db/table'

export const apiKeys = (store: Store) => table<ApiKey>(store, { chain: chains.api_key, sortable: ['created_at'] })

export type ApiKeys = ReturnType<typeof apiKeys>
