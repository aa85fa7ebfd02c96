import type { Tenant } from '../tenancy'

/** A kind of record that the history proof writes. */
export interface HistoryKind {
  path: string
  key: string
  /** Its text fields. Each of them is one register, and the first one names the record. */
  fields: readonly [string, ...string[]]
  /** Whether its records belong to service providers, not to accounts. */
  belongsToProvider?: boolean
  /** Whether an update can require the version that was read. */
  hasVersion?: boolean
  /** Whether the name is an identifier that two records must not share, and that never changes. */
  hasFixedName?: boolean
  /** The body of a new record, without its fields. */
  buildDraft: (tenant: Tenant) => Record<string, unknown>
}

const hook = { url: 'https://hooks.example.com/history', method: 'POST' }

export const historyKinds: readonly [HistoryKind, ...HistoryKind[]] = [
  {
    path: '/v1/Applications',
    key: 'application_sid',
    fields: ['name', 'speech_synthesis_label'],
    buildDraft: ({ accountSid }) => ({ account_sid: accountSid, call_hook: hook, call_status_hook: hook }),
  },
  {
    path: '/v1/VoipCarriers',
    key: 'voip_carrier_sid',
    fields: ['name', 'description'],
    hasVersion: true,
    buildDraft: ({ accountSid, providerSid }) => ({ account_sid: accountSid, service_provider_sid: providerSid }),
  },
  {
    path: '/v1/Clients',
    key: 'client_sid',
    fields: ['username'],
    buildDraft: ({ accountSid }) => ({ account_sid: accountSid, password: 'History-Pass-2026' }),
  },
  {
    path: '/v1/PhoneNumbers',
    key: 'phone_number_sid',
    fields: ['number'],
    hasFixedName: true,
    buildDraft: ({ accountSid, ids }) => ({ account_sid: accountSid, voip_carrier_sid: ids.voip_carrier_sid }),
  },
  {
    path: '/v1/Accounts',
    key: 'account_sid',
    fields: ['name'],
    belongsToProvider: true,
    buildDraft: ({ providerSid }) => ({ service_provider_sid: providerSid }),
  },
]
