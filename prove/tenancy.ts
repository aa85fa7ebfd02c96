import { randomUUID } from 'node:crypto'
import { send, sendOk } from './http'

const password = 'Proof-Pass-2026'

/**
 * A service provider or an account, with one record of each kind. Every name contains its marker, every password its
 * secret.
 */
export interface Tenant {
  name: string
  marker: string
  secret: string
  providerSid: string
  accountSid?: string
  /** Values for path and query parameters, by parameter name. */
  ids: Record<string, string>
}

/** A credential, and the tenants that it may access. */
export interface Actor {
  name: string
  token: string
  tenant?: Tenant
  readableTenants: ReadonlySet<Tenant>
  writableTenants: ReadonlySet<Tenant>
  /** The tenants whose secrets it may see. */
  secretTenants: ReadonlySet<Tenant>
}

export interface TestTenancy {
  tenants: Tenant[]
  actors: Actor[]
}

interface Owner {
  service_provider_sid: string
  account_sid?: string
}

const hookOf = ({ marker, secret }: Tenant) => ({
  url: `https://${marker}.example.com/hook`,
  method: 'POST',
  username: marker,
  password: secret,
})

/** Creates the records that both accounts and providers have. */
const addSharedKinds = async (url: string, admin: string, tenant: Tenant, owner: Owner, serial: number) => {
  const { marker, secret, ids } = tenant
  const add = async (path: string, body: unknown) => (await sendOk(url, admin, 'POST', `/v1${path}`, body)).sid
  const base = owner.account_sid ? `/Accounts/${owner.account_sid}` : `/ServiceProviders/${owner.service_provider_sid}`
  ids.voip_carrier_sid = await add('/VoipCarriers', {
    name: `${marker} trunk`,
    ...owner,
    requires_register: true,
    register_username: marker,
    register_sip_realm: `${marker}.sip.example.com`,
    register_password: secret,
  })
  const { voip_carrier_sid } = ids
  ids.sip_gateway_sid = await add('/SipGateways', {
    voip_carrier_sid,
    ipv4: `198.51.100.${serial}`,
    inbound: 1,
    outbound: 1,
  })
  ids.smpp_gateway_sid = await add('/SmppGateways', { voip_carrier_sid, ipv4: `smpp.${marker}.example.com` })
  ids.speech_credential_sid = await add(`${base}/SpeechCredentials`, {
    vendor: 'google',
    label: marker,
    service_key: JSON.stringify({
      type: 'service_account',
      client_email: `x@${marker}.example.com`,
      private_key: secret,
    }),
    use_for_tts: 1,
    use_for_stt: 1,
  })
  ids.google_custom_voice_sid = await add('/GoogleCustomVoices', {
    speech_credential_sid: ids.speech_credential_sid,
    name: `${marker} voice`,
    model: 'projects/x/models/y',
  })
  ids.lcr_sid = await add('/Lcrs', {
    name: `${marker} routes`,
    ...(owner.account_sid ? { account_sid: owner.account_sid } : owner),
  })
  ids.lcr_route_sid = await add('/LcrRoutes', { lcr_sid: ids.lcr_sid, regex: '^1', priority: 1, description: marker })
  ids.lcr_carrier_set_entry_sid = await add('/LcrCarrierSetEntries', {
    lcr_route_sid: ids.lcr_route_sid,
    voip_carrier_sid,
    workload: 1,
    priority: 1,
  })
}

const addKey = async (url: string, admin: string, owner: Partial<Owner>) =>
  sendOk<{ sid: string; token: string }>(url, admin, 'POST', '/v1/ApiKeys', owner)

const addUser = async (
  url: string,
  admin: string,
  owner: Partial<Owner>,
  name: string,
  isViewOnly = false,
): Promise<{ sid: string; token: string }> => {
  const { sid } = await sendOk(url, admin, 'POST', '/v1/Users', {
    name,
    email: `${name}@example.com`,
    initial_password: password,
    force_change: false,
    is_active: true,
    is_view_only: isViewOnly,
    ...owner,
  })
  const { token } = await sendOk<{ token: string }>(url, undefined, 'POST', '/v1/login', {
    username: name,
    password,
  })
  return { sid, token }
}

/** Writes a call, an alert and a trace of an account like a voice server. */
const addHistory = async (url: string, key: string, { marker, accountSid, ids }: Tenant) => {
  ids.call_sid = randomUUID()
  ids.sip_callid = `${marker}@sip.example.com`
  ids.trace_id = randomUUID().replaceAll('-', '')
  const now = Date.now()
  const call = `cdrs,account_sid=${accountSid},direction=inbound,answered=true call_sid="${ids.call_sid}",from="${marker}",to="1555",duration=9,sip_callid="${ids.sip_callid}",trace_id="${ids.trace_id}" ${now}`
  const alert = `alerts,account_sid=${accountSid},alert_type=webhook-failure message="${marker} failed" ${now}`
  for (const [database, line] of [
    ['cdrs', call],
    ['alerts', alert],
  ]) {
    const response = await send(url, key, 'POST', `/write?db=${database}&precision=ms`, line, 'text/plain')
    if (response.status !== 204) throw new Error(`/write: ${response.status} ${response.text}`)
  }
  const time = `${BigInt(now) * 1_000_000n}`
  await sendOk(url, key, 'POST', '/v1/traces', {
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: [
              {
                traceId: ids.trace_id,
                spanId: '0123456789abcdef',
                name: marker,
                startTimeUnixNano: time,
                endTimeUnixNano: time,
                attributes: [{ key: 'accountSid', value: { stringValue: accountSid } }],
              },
            ],
          },
        ],
      },
    ],
  })
}

const addProvider = async (url: string, admin: string, name: string, serial: number): Promise<Tenant> => {
  const marker = `zq${name.toLowerCase()}zq`
  const tenant: Tenant = { name, marker, secret: `sk${marker}sk`, providerSid: '', ids: {} }
  const { sid } = await sendOk(url, admin, 'POST', '/v1/ServiceProviders', {
    name: `${marker} provider`,
    ms_teams_fqdn: `${marker}.teams.example.com`,
    registration_hook: hookOf(tenant),
  })
  tenant.providerSid = sid
  tenant.ids.service_provider_sid = sid
  await addSharedKinds(url, admin, tenant, { service_provider_sid: sid }, serial)
  return tenant
}

const addAccount = async (url: string, admin: string, provider: Tenant, name: string, serial: number) => {
  const marker = `zq${name.toLowerCase()}zq`
  const { providerSid } = provider
  const tenant: Tenant = { name, marker, secret: `sk${marker}sk`, providerSid, ids: {} }
  const add = async (path: string, body: unknown) => (await sendOk(url, admin, 'POST', `/v1${path}`, body)).sid
  const account_sid = await add('/Accounts', {
    name: `${marker} account`,
    sip_realm: `${marker}.sip.example.com`,
    service_provider_sid: providerSid,
    registration_hook: hookOf(tenant),
  })
  const { ids } = tenant
  tenant.accountSid = account_sid
  ids.account_sid = account_sid
  await addSharedKinds(url, admin, tenant, { service_provider_sid: providerSid, account_sid }, serial)
  const hook = hookOf(tenant)
  ids.application_sid = await add('/Applications', {
    name: `${marker} application`,
    account_sid,
    call_hook: hook,
    call_status_hook: hook,
  })
  ids.phone_number_sid = await add('/PhoneNumbers', {
    number: `199900000${serial}`,
    voip_carrier_sid: ids.voip_carrier_sid,
    account_sid,
  })
  ids.client_sid = await add('/Clients', { account_sid, username: marker, password: tenant.secret })
  ids.ms_teams_tenant_sid = await add('/MicrosoftTeamsTenants', {
    tenant_fqdn: `${marker}.example.com`,
    account_sid,
    service_provider_sid: providerSid,
  })
  return tenant
}

/**
 * Builds two providers with two accounts each through the API, with users, view-only users and API keys of every scope.
 * @param admin an administrator's API key
 */
export const createTestTenancy = async (url: string, admin: string): Promise<TestTenancy> => {
  const tenants: Tenant[] = []
  const actors: Actor[] = []
  const addActors = async (tenant: Tenant, writable: Tenant[], readable: Tenant[]) => {
    const owner = tenant.accountSid
      ? { service_provider_sid: tenant.providerSid, account_sid: tenant.accountSid }
      : { service_provider_sid: tenant.providerSid }
    const key = await addKey(url, admin, tenant.accountSid ? { account_sid: tenant.accountSid } : owner)
    tenant.ids.api_key_sid = key.sid
    const user = await addUser(url, admin, owner, `${tenant.marker}-user`)
    tenant.ids.user_sid = user.sid
    const viewer = await addUser(url, admin, owner, `${tenant.marker}-viewer`, true)
    const shared = { tenant, readableTenants: new Set(readable) }
    const tenantAccess = { writableTenants: new Set(writable), secretTenants: new Set(writable) }
    actors.push({ ...shared, ...tenantAccess, name: `key of ${tenant.name}`, token: key.token })
    actors.push({ ...shared, ...tenantAccess, name: `user of ${tenant.name}`, token: user.token })
    actors.push({
      ...shared,
      name: `viewer of ${tenant.name}`,
      token: viewer.token,
      writableTenants: new Set(),
      secretTenants: new Set(),
    })
    if (tenant.accountSid) await addHistory(url, key.token, tenant)
  }
  let serial = 0
  for (const name of ['A', 'B']) {
    const provider = await addProvider(url, admin, name, (serial += 1))
    const accounts = []
    for (const number of [1, 2]) {
      accounts.push(await addAccount(url, admin, provider, `${name}${number}`, (serial += 1)))
    }
    tenants.push(provider, ...accounts)
    await addActors(provider, [provider, ...accounts], [provider, ...accounts])
    for (const account of accounts) await addActors(account, [account], [account, provider])
  }
  return { tenants, actors }
}
