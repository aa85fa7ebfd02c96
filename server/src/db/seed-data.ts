import type { Insertable } from 'kysely'
import type { Tables } from './schema'

export const defaultServiceProviderSid = '2708b1b3-2736-40ea-b502-c53d8396247f'
export const defaultAccountSid = '9351f46a-678c-43f5-b8a6-d4eb58d131af'

export const initialPermissions: Insertable<Tables['permissions']>[] = [
  {
    permission_sid: 'ffbc342a-546a-11ed-bdc3-0242ac120002',
    name: 'VIEW_ONLY',
    description: 'Can view data but not make changes',
  },
  {
    permission_sid: 'ffbc3a10-546a-11ed-bdc3-0242ac120002',
    name: 'PROVISION_SERVICES',
    description: 'Can provision services',
  },
  {
    permission_sid: 'ffbc3c5e-546a-11ed-bdc3-0242ac120002',
    name: 'PROVISION_USERS',
    description: 'Can provision users',
  },
]

export const initialProducts: Insertable<Tables['products']>[] = [
  {
    product_sid: 'c4403cdb-8e75-4b27-9726-7d8315e3216d',
    name: 'concurrent call session',
    category: 'voice_call_session',
  },
  { product_sid: '2c815913-5c26-4004-b748-183b459329df', name: 'registered device', category: 'device' },
  { product_sid: '35a9fb10-233d-4eb9-aada-78de5814d680', name: 'api call', category: 'api_rate' },
]

/** Tokens from public installation scripts, which anyone can look up. The server searches for them and never stores them. */
export const publishedTokens = ['1cf2f4f4-64c4-4249-9a3e-5bb4cb597c2a', '38700987-c7a4-4685-a5bb-af378f9734de']
