import { randomUUID } from 'node:crypto'
import type { Services } from '../src/composition/services'
import { hashPassword } from '../src/secrets/password'
import { cheapPasswordCost } from './databases'

export const password = 'Correct-horse-1'

/** The users: an administrator, one user of each of two providers, one user of each of three accounts. */
export const actors = ['admin', 'north', 'south', 'acme', 'bolt', 'corp'] as const
export type ActorName = (typeof actors)[number]

/** The SIDs of one tenant's records. */
export interface TenantRecords {
  account: string
  application: string
  voip_carrier: string
  sip_gateway: string
  phone_number: string
  client: string
  ms_teams_tenant: string
  smpp_gateway: string
  speech_credential: string
  google_custom_voice: string
  /** An LCR with one route without carriers. */
  lcr: string
  lcr_route: string
  api_key: string
}

/** Records that a provider shares with its accounts: a carrier with a gateway, a speech credential with a voice. */
export type SharedRecords = Pick<
  TenantRecords,
  'voip_carrier' | 'sip_gateway' | 'speech_credential' | 'google_custom_voice'
>

export interface TestData {
  users: Record<ActorName, string>
  /** A view-only user of acme. */
  viewer: string
  /** The token of an API key for each scope and tenant. */
  keys: Record<ActorName, string>
  keySids: Record<ActorName, string>
  providers: { north: string; south: string }
  /** acme and bolt belong to north, corp to south. */
  accounts: { acme: string; bolt: string; corp: string }
  acme: TenantRecords
  bolt: TenantRecords
  corp: TenantRecords
  shared: { north: SharedRecords; south: SharedRecords }
}

/** Adds two providers, three accounts, their users and keys, and one record of each kind to a new database. */
export const insertTestData = async (services: Services): Promise<TestData> => {
  const {
    store,
    providers,
    accounts,
    applications,
    voipCarriers,
    sipGateways,
    phoneNumbers,
    apiKeys,
    users,
    clients,
    msTeamsTenants,
    smppGateways,
    lcrs,
    speechCredentials,
    googleCustomVoices,
    encryption,
  } = services
  const { db } = store.database
  const hashed_password = await hashPassword(password, cheapPasswordCost)

  const insertProvider = async (name: string) => {
    const service_provider_sid = randomUUID()
    await providers.insert({ service_provider_sid, name })
    return service_provider_sid
  }
  const insertAccount = async (name: string, service_provider_sid: string) => {
    const account_sid = randomUUID()
    await accounts.insert({
      account_sid,
      name,
      service_provider_sid,
      sip_realm: `${name}.example.com`,
      webhook_secret: 'wh_secret_x',
    })
    return account_sid
  }
  const insertUser = async (name: string, tenant: { service_provider_sid?: string; account_sid?: string }) => {
    const user_sid = randomUUID()
    await users.insert({ user_sid, name, email: `${name}@example.com`, provider: 'local', hashed_password, ...tenant })
    return user_sid
  }
  const insertKey = async (tenant: { service_provider_sid?: string; account_sid?: string }) => {
    const api_key_sid = randomUUID()
    const token = randomUUID()
    await apiKeys.insert({ api_key_sid, token, ...tenant }, null)
    return { api_key_sid, token }
  }
  const insertCarrier = async (
    name: string,
    service_provider_sid: string,
    account_sid: string | null,
    ipv4: string,
  ) => {
    const voip_carrier_sid = randomUUID()
    const sip_gateway_sid = randomUUID()
    await voipCarriers.insert({ voip_carrier_sid, name, service_provider_sid, account_sid })
    await sipGateways.insert({
      sip_gateway_sid,
      voip_carrier_sid,
      ipv4,
      port: 5060,
      netmask: 32,
      inbound: 1,
      outbound: 1,
    })
    return { voip_carrier: voip_carrier_sid, sip_gateway: sip_gateway_sid }
  }
  const insertSpeechCredential = async (name: string, service_provider_sid: string, account_sid: string | null) => {
    const speech_credential_sid = randomUUID()
    const google_custom_voice_sid = randomUUID()
    const credential = encryption.encrypt(JSON.stringify({ client_email: `${name}@example.com`, private_key: 'key' }))
    const vendor = { vendor: 'google', label: name, credential }
    await speechCredentials.insert({ speech_credential_sid, ...vendor, service_provider_sid, account_sid })
    await googleCustomVoices.insert({
      google_custom_voice_sid,
      speech_credential_sid,
      name: `${name} voice`,
      model: 'm',
    })
    return { speech_credential: speech_credential_sid, google_custom_voice: google_custom_voice_sid }
  }
  const insertWebhook = async (url: string) => {
    const webhook_sid = randomUUID()
    await db.insertInto('webhooks').values({ webhook_sid, url }).execute()
    return webhook_sid
  }
  const insertTenantRecords = async (
    name: string,
    account_sid: string,
    service_provider_sid: string,
    number: string,
    api_key: string,
  ) => {
    const application_sid = randomUUID()
    const call_hook_sid = await insertWebhook(`https://${name}.example.com/call`)
    const call_status_hook_sid = await insertWebhook(`https://${name}.example.com/status`)
    await applications.insert({
      application_sid,
      account_sid,
      name: `${name} app`,
      call_hook_sid,
      call_status_hook_sid,
    })
    const carrier = await insertCarrier(
      `${name} trunk`,
      service_provider_sid,
      account_sid,
      `192.0.2.${number.slice(-2)}`,
    )
    const phone_number_sid = randomUUID()
    await phoneNumbers.insert({
      phone_number_sid,
      number,
      account_sid,
      application_sid,
      voip_carrier_sid: carrier.voip_carrier,
    })
    const client_sid = randomUUID()
    await clients.insert({ client_sid, account_sid, username: `${name}-desk` })
    const ms_teams_tenant_sid = randomUUID()
    const tenant_fqdn = `${name}.teams.example.com`
    await msTeamsTenants.insert({ ms_teams_tenant_sid, account_sid, service_provider_sid, tenant_fqdn })
    const smpp_gateway_sid = randomUUID()
    const { voip_carrier: voip_carrier_sid } = carrier
    await smppGateways.insert({ smpp_gateway_sid, voip_carrier_sid, ipv4: `smpp.${name}.example.com` })
    const lcr_sid = randomUUID()
    await lcrs.insert({ lcr_sid, account_sid, name: `${name} routes` })
    const lcr_route_sid = randomUUID()
    await db.insertInto('lcr_routes').values({ lcr_route_sid, lcr_sid, regex: '1', priority: 0 }).execute()
    return {
      smpp_gateway: smpp_gateway_sid,
      lcr: lcr_sid,
      lcr_route: lcr_route_sid,
      account: account_sid,
      application: application_sid,
      phone_number: phone_number_sid,
      client: client_sid,
      ms_teams_tenant: ms_teams_tenant_sid,
      api_key,
      ...carrier,
      ...(await insertSpeechCredential(name, service_provider_sid, account_sid)),
    }
  }

  const north = await insertProvider('Northwind')
  const south = await insertProvider('Southgate')
  const acme = await insertAccount('acme', north)
  const bolt = await insertAccount('bolt', north)
  const corp = await insertAccount('corp', south)
  const tenants = {
    admin: {},
    north: { service_provider_sid: north },
    south: { service_provider_sid: south },
    acme: { service_provider_sid: north, account_sid: acme },
    bolt: { service_provider_sid: north, account_sid: bolt },
    corp: { service_provider_sid: south, account_sid: corp },
  }
  const created = { users: {}, keys: {}, keySids: {} } as Record<
    'users' | 'keys' | 'keySids',
    Record<ActorName, string>
  >
  for (const name of actors) {
    const tenant: { service_provider_sid?: string; account_sid?: string } = tenants[name]
    created.users[name] = await insertUser(name, tenant)
    const { api_key_sid, token } = await insertKey(tenant.account_sid ? { account_sid: tenant.account_sid } : tenant)
    created.keys[name] = token
    created.keySids[name] = api_key_sid
  }
  const viewer = await insertUser('viewer', tenants.acme)
  const { permission_sid } = await db
    .selectFrom('permissions')
    .select('permission_sid')
    .where('name', '=', 'VIEW_ONLY')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('user_permissions')
    .values({ user_permissions_sid: randomUUID(), user_sid: viewer, permission_sid })
    .execute()
  return {
    users: created.users,
    viewer,
    keys: created.keys,
    keySids: created.keySids,
    providers: { north, south },
    accounts: { acme, bolt, corp },
    acme: await insertTenantRecords('acme', acme, north, '15550000011', created.keySids.acme),
    bolt: await insertTenantRecords('bolt', bolt, north, '15550000012', created.keySids.bolt),
    corp: await insertTenantRecords('corp', corp, south, '15550000013', created.keySids.corp),
    shared: {
      north: {
        ...(await insertCarrier('North shared', north, null, '198.51.100.1')),
        ...(await insertSpeechCredential('North shared', north, null)),
      },
      south: {
        ...(await insertCarrier('South shared', south, null, '198.51.100.2')),
        ...(await insertSpeechCredential('South shared', south, null)),
      },
    },
  }
}
