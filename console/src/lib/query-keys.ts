import { hashKey, type Query, type QueryKey } from '@tanstack/react-query'

/**
 * The keys of the query cache, all in one place. A key starts with the kind of its records, so that a change of one
 * kind can refetch it.
 */

/**
 * The queries that only one screen or module makes. Each has the kind of its records, a name, and the values that
 * identify a cache entry. `null` and `undefined` are values too: no account, or a provider that is not known yet.
 */
interface NamedQueries {
  account: {
    /** Does a provider have any account? */
    exists: [service_provider_sid: string]
    /** The first account, application, carrier and phone number of a tenant. */
    firstRecords: [level: string, ownerSid: string]
    /** The accounts of a provider whose trials end next. */
    endingTrials: [service_provider_sid: string]
    /** The SIDs of a provider's first two accounts. */
    firstTwo: [service_provider_sid: string]
    /** How many accounts of a provider have each plan. */
    planSummary: [service_provider_sid: string]
    /** The subscription of an account, for its provider. */
    subscription: [account_sid: string]
  }
  alert: {
    /** The number of alerts that the user has not seen. */
    unseen: [...source: QueryKey, seenUntil: string | null]
    /** The newest alerts or groups of alerts. */
    newest: [...source: QueryKey]
    /** The newest alerts of a group. */
    ofGroup: [...source: QueryKey, filters: object, date: string, count: number | undefined]
    /** The accounts with alerts of a group. */
    accountsOfGroup: [...source: QueryKey, filters: object, date: string, count: number | undefined]
  }
  api_key: { all: [owner: object] }
  app_env: { schema: [webhookUrl: string] }
  application: {
    count: [account_sid: string]
    usingSpeechCredential: [speech_credential_sid: string]
  }
  client: { count: [account_sid: string] }
  capture: { search: [text: string, dialogType: string] }
  google_custom_voice: {
    all: [
      account_sid: string | null,
      service_provider_sid: string,
      label: string,
      speech_credential_sid: string | undefined,
    ]
  }
  /** The LCR of the user's account or provider. */
  lcr: { ownedByTenant: [userScope: string | undefined] }
  limit: { ofAccount: [account_sid: string] }
  live_call: {
    /** The number of calls in progress, and the limits that they almost reach. */
    usage: [level: string, ownerSid: string]
    running: [scope: unknown, ownerSid: unknown]
    registeredClients: [account_sid: string | null]
  }
  me: { current: [] }
  phone_number: {
    count: [account_sid: string]
    /** The first numbers of an account. */
    first: [account_sid: string]
  }
  predefined_carrier: { all: [] }
  recent_call: {
    failingCarriers: [level: string, ownerSid: string]
    /** The statistics of today, and of the same weekday last week until the same time. */
    today: [level: string, ownerSid: string, startOfToday: string]
    /** The newest calls with these filters. */
    newest: [...source: QueryKey, filters: object]
    /** The newest call with this SID. */
    withSid: [...source: QueryKey, call_sid: string]
    /** The statistics above the list of calls. */
    overview: [...source: QueryKey, query: object]
    /** The summary of the captured messages of a SIP dialog. */
    captureSummary: [callId: string | null | undefined]
    registration: [callId: string]
    packets: [capture: string, file: string]
    logs: [account_sid: string, call_sid: string, logGroup: string]
  }
  recording: { audio: [url: string] }
  sbc: { all: [query: object] }
  /** The user's views of a list. */
  saved_view: { ofList: [list: string] }
  server: {
    capabilities: []
    /** The code of further columns of a list. */
    columns: [kind: string]
    /** The figures of the rows of a list. Not refetched after a change, because then the list is, at another time. */
    recordCounts: [kind: string, figures: string, updatedAt: number | undefined, sids: string]
  }
  service_provider: { all: [] }
  sip_gateway: { ofCarrier: [voip_carrier_sid: string] }
  /** The SMPP addresses that carriers must allow. */
  smpp: { all: [service_provider_sid: string] }
  speech_credential: {
    count: [account_sid: string]
    /** The credentials whose last test failed. */
    failing: [level: string, ownerSid: string]
    names: [account_sid: string | null, service_provider_sid: string]
    catalogue: [account_sid: string | null, service_provider_sid: string, vendor: string, label: string]
  }
  speech_models: { ofVendor: [service_provider_sid: string, vendor: string] }
  speech_test: { latest: [speech_credential_sid: string] }
  subscription: {
    nextInvoice: []
    prices: []
    /** What an upgrade to these products would charge. */
    upgradeCharge: [products: object]
  }
  system_health: { latest: [] }
  trace: { spans: [ownerSid: string, trace_id: string] }
  tts_cache: { size: [service_provider_sid: string | null | undefined, account_sid: string | null | undefined] }
  user: {
    count: [account_sid: string]
    /** The first users of an account. */
    first: [account_sid: string]
  }
  voip_carrier: {
    count: [account_sid: string]
    /** The first carrier of a provider, to know whether it has any. */
    first: [service_provider_sid: string]
    /** The carriers that routes may use. */
    routable: [ownerSid: string]
    /** The carriers with the name of a call's trunk. */
    ofTrunk: [service_provider_sid: string, trunk: string]
  }
}

/** The key of one of the `NamedQueries`: namedQueryKey('alert', 'unseen', …). */
export const namedQueryKey = <Kind extends keyof NamedQueries, Name extends keyof NamedQueries[Kind] & string>(
  kind: Kind,
  name: Name,
  ...identity: NamedQueries[Kind][Name] & QueryKey
): QueryKey => [kind, name, ...identity]

/** The key of all entries of a kind. */
export const kindKey = (kind: string): QueryKey => [kind]

/** The key of a record as its read route returns it. It is also the prefix of the two keys below. */
export const recordKey = (kind: string | undefined, sid: string | null | undefined): QueryKey => [kind, 'record', sid]

/**
 * The key of a record in its form, with everything that the form edits. A separate entry, because background requests
 * must not replace it while the user edits.
 */
export const formRecordKey = (kind: string, sid: string | undefined): QueryKey => [...recordKey(kind, sid), 'form']

/** The key of a record's title. The form of the record writes it, and the breadcrumbs read it. */
export const recordTitleKey = (kind: string | undefined, sid: string | undefined): QueryKey => [
  ...recordKey(kind, sid),
  'title',
]

/** The key of the pages of a list. `source`: its path and parameters. Add the query to get the key of one page. */
export const listKey = (kind: string, source: QueryKey): QueryKey => [kind, 'list', ...source]

/** The key of a flag: the server returns this list complete, without pages. */
export const listCompletenessKey = (kind: string, source: QueryKey): QueryKey => ['complete', ...listKey(kind, source)]

/** The key of the pages of an event list, or without a source of all event lists of a kind. Add the query to get one page. */
export const eventListKey = (kind: string, source: QueryKey = []): QueryKey => [kind, 'events', ...source]

/** The key of an open row of an event list that is not on the page. */
export const openRowKey = (kind: string, source: QueryKey, rowKey: string): QueryKey => [
  kind,
  'open',
  ...source,
  rowKey,
]

/** The key of a select's options. Add the search text to get the key of one request. */
export const optionsKey = (kind: string, source: QueryKey): QueryKey => [kind, 'options', ...source]

/** The key of the names of all records of a kind. */
export const namesKey = (kind: string, service_provider_sid: string): QueryKey => [kind, 'names', service_provider_sid]

/** The key of a search in the command palette. */
export const paletteKey = (kind: string, params: object, text: string): QueryKey => [kind, 'palette', params, text]

/** The key of the records that prevent the deletion of a record. They may be of any kind. */
export const dependentsKey = (kind: string, sid: string | undefined): QueryKey => ['dependents', kind, sid]

const isFormRecordKey = ([, name, , variant]: QueryKey): boolean => name === 'record' && variant === 'form'

/**
 * May a change of a record of this kind affect the entry? The rows of most kinds contain names of other kinds. The
 * server's capabilities never change, and service providers change only with their own kind. The copy of a record that
 * a form edits is never refetched because of another kind: the form would then save its old values with the record's
 * new `version`, and overwrite the change of another user.
 */
export const isAffectedBy = (kind: string, { queryKey }: Pick<Query, 'queryKey'>): boolean => {
  const [entryKind] = queryKey
  if (entryKind === kind) return true
  return entryKind !== 'server' && entryKind !== 'service_provider' && !isFormRecordKey(queryKey)
}

/** For `placeholderData`: keeps the previous rows while another page of the same list loads, but never another list's. */
export const keepPreviousPage =
  (list: QueryKey) =>
  <Data>(previous: Data | undefined, query: { queryKey: QueryKey } | undefined): Data | undefined =>
    query && hashKey(query.queryKey.slice(0, -1)) === hashKey(list) ? previous : undefined
