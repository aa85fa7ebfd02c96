import { defineResource } from '../kit/resource'
import type { Client, ClientChanges, ClientDraft } from '../shapes/client'

/** A SIP client: a username and password with which a device registers in the account's SIP realm. */
export const client = defineResource<Client, ClientDraft, ClientChanges>()({
  kind: 'client',
  path: '/Clients',
  key: 'client_sid',
  noun: { singular: 'SIP client', plural: 'SIP clients' },
  title: (row) => row.username ?? row.client_sid,
})
