import dbHelpers, { type DbHelpers } from '@jambonz/db-helpers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiClient, type ApiClient } from './api-client'
import { startBackend, type Backend } from './backend'
import { databaseEngines } from './databases'

/** The platform's own library reads the database that our API has written. */
describe.runIf(databaseEngines.includes('mysql'))("the platform's library finds in a MySQL database", () => {
  let backend: Backend
  let admin: ApiClient
  let library: DbHelpers
  let provider: string
  let account: string
  let application: string
  let carrier: string
  let gateway: string

  const add = async (path: string, body: object): Promise<string> => {
    const response = await admin('POST', path, body)
    expect(response).toMatchObject({ status: 201 })
    return response.body.sid
  }

  beforeAll(async () => {
    backend = await startBackend({ databaseEngine: 'mysql' })
    const { rows } = await sql<{ name: string }>`select database() as name`.execute(backend.database.db)
    const { hostname, port, username, password } = new URL(process.env.TEST_MYSQL_URL!)
    const options = { host: hostname, port: Number(port || 3306), user: username, password, connectionLimit: 2 }
    library = dbHelpers({ ...options, database: rows[0]!.name })
    admin = createApiClient(backend.app, backend.testData.keys.admin)
    provider = backend.testData.providers.north
    account = await add('/Accounts', {
      name: 'Harbour',
      service_provider_sid: provider,
      sip_realm: 'harbour.example.com',
      registration_hook: {
        url: 'https://hooks.example.com/auth',
        method: 'POST',
        username: 'hook',
        password: 'hook-password',
      },
    })
    application = await add('/Applications', {
      name: 'Reception',
      account_sid: account,
      call_hook: { url: 'wss://apps.example.com/call', method: 'POST', username: 'app', password: 'app-password' },
      call_status_hook: { url: 'https://apps.example.com/status', method: 'GET' },
      speech_synthesis_vendor: 'google',
      speech_synthesis_language: 'en-GB',
    })
    carrier = await add('/VoipCarriers', {
      name: 'Coast trunk',
      service_provider_sid: provider,
      account_sid: account,
      requires_register: 1,
      register_username: 'harbour',
      register_password: 'trunk-password',
      register_sip_realm: 'sip.coast.example.com',
      inbound_auth_username: 'coast',
      inbound_auth_password: 'inbound-password',
      trunk_type: 'auth',
    })
    gateway = await add('/SipGateways', {
      voip_carrier_sid: carrier,
      ipv4: '198.51.100.7',
      port: 5070,
      inbound: 1,
      outbound: 1,
    })
    await add('/PhoneNumbers', {
      number: '16175550142',
      voip_carrier_sid: carrier,
      account_sid: account,
      application_sid: application,
    })
  })
  afterAll(async () => {
    await library?.pool.promise().end()
    await backend?.close()
  })

  it('an account by its SID, its SIP realm and a phone number, with its webhook', async () => {
    const expected = {
      account_sid: account,
      name: 'Harbour',
      service_provider_sid: provider,
      is_active: 1,
      registration_hook: {
        url: 'https://hooks.example.com/auth',
        method: 'POST',
        username: 'hook',
        password: 'hook-password',
      },
    }
    expect(await library.lookupAccountBySid(account)).toMatchObject(expected)
    expect(await library.lookupAccountBySipRealm('harbour.example.com')).toMatchObject(expected)
    expect(await library.lookupAccountByPhoneNumber('16175550142')).toMatchObject(expected)
    expect(await library.lookupAuthHook('harbour.example.com')).toMatchObject(expected.registration_hook)
  })

  it('an application by its SID, a phone number and the SIP realm, with its webhooks', async () => {
    const { status } = await admin('PUT', `/Accounts/${account}`, { device_calling_application_sid: application })
    expect(status).toBe(204)
    const expected = {
      application_sid: application,
      name: 'Reception',
      call_hook: { url: 'wss://apps.example.com/call', username: 'app', password: 'app-password' },
      call_status_hook: { url: 'https://apps.example.com/status', method: 'GET', username: null },
      speech_synthesis_vendor: 'google',
      speech_synthesis_language: 'en-GB',
    }
    expect(await library.lookupAppBySid(application)).toMatchObject(expected)
    expect(await library.lookupAppByPhoneNumber('16175550142', carrier)).toMatchObject(expected)
    expect(await library.lookupAppByPhoneNumber('16175550142')).toMatchObject(expected)
    expect(await library.lookupAppByRealm('harbour.example.com')).toMatchObject(expected)
  })

  it('a carrier with its credentials, and its gateways', async () => {
    expect(await library.lookupCarrierBySid(carrier)).toMatchObject({
      name: 'Coast trunk',
      requires_register: 1,
      register_username: 'harbour',
      register_password: 'trunk-password',
      register_sip_realm: 'sip.coast.example.com',
    })
    expect(await library.lookupAuthCarriersForAccountAndSP(account, provider)).toMatchObject([
      { voip_carrier_sid: carrier, inbound_auth_username: 'coast', inbound_auth_password: 'inbound-password' },
    ])
    const allCarriers = await library.lookupAllVoipCarriers()
    expect(allCarriers.map(({ voip_carrier_sid }) => voip_carrier_sid)).toContain(carrier)
    expect(await library.lookupSipGatewayBySid(gateway)).toMatchObject({ ipv4: '198.51.100.7', port: 5070 })
    expect(await library.lookupSipGatewaysByCarrier(carrier)).toMatchObject([{ sip_gateway_sid: gateway }])
    expect(await library.lookupSipGatewayBySignalingAddress('198.51.100.7', 5070)).toMatchObject({
      sip_gateway_sid: gateway,
      voip_carrier_sid: carrier,
      account_sid: account,
    })
    expect(await library.lookupOutboundCarrierForAccount(account)).toBe(carrier)
  })

  it('a SIP client with a password in the format of the platform', async () => {
    await add('/Clients', { username: 'desk', password: 'open sesame', account_sid: account })
    const [client] = await library.lookupClientByAccountAndUsername(account, 'desk')
    expect(client).toMatchObject({ is_active: 1, allow_direct_user_calling: 1 })
    expect(JSON.parse(String(client?.password))).toEqual({
      iv: expect.stringMatching(/^[\da-f]{32}$/),
      content: expect.stringMatching(/^[\da-f]{32}$/),
    })
    expect(backend.services.encryption.decrypt(String(client?.password))).toEqual({ ok: true, text: 'open sesame' })
  })

  it('the limits of an account and of its provider', async () => {
    await add(`/Accounts/${account}/Limits`, { category: 'voice_call_session', quantity: 4 })
    await add(`/ServiceProviders/${provider}/Limits`, { category: 'voice_call_session', quantity: 9 })
    expect(await library.queryCallLimits(provider, account)).toEqual({ account_limit: 4, sp_limit: 9 })
  })

  it('the carrier that a routing table chooses', async () => {
    const lcr_sid = await add('/Lcrs', { name: 'Routes', account_sid: account })
    const { status } = await admin('POST', `/Lcrs/${lcr_sid}/Routes`, [
      {
        regex: '1617.*',
        priority: 0,
        lcr_carrier_set_entries: [{ voip_carrier_sid: carrier, workload: 1, priority: 0 }],
      },
    ])
    expect(status).toBe(204)
    expect(await library.lookupLcrByAccount(account)).toEqual([{ lcr_sid }])
    expect(await library.lookupCarrierByAccountLcr(account, '16175550000')).toBe(carrier)
  })

  it('a tenant of Microsoft Teams and the system information', async () => {
    await add('/MicrosoftTeamsTenants', {
      service_provider_sid: provider,
      account_sid: account,
      application_sid: application,
      tenant_fqdn: 'harbour.teams.example.com',
    })
    expect(await library.lookupAppByTeamsTenant('harbour.teams.example.com')).toMatchObject({ name: 'Reception' })
    expect(await library.lookupTeamsByAccount(account)).toMatchObject({ tenant_fqdn: 'harbour.teams.example.com' })
    const { status } = await admin('POST', '/SystemInformation', {
      domain_name: 'voice.example.com',
      sip_domain_name: 'sip.example.com',
      monitoring_domain_name: null,
    })
    expect(status).toBe(201)
    expect(await library.lookupSystemInformation()).toMatchObject({
      domain_name: 'voice.example.com',
      sip_domain_name: 'sip.example.com',
    })
  })
})
