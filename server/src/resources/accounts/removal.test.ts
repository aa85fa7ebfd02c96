import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { findOrphanedWebhooks } from '../../../test/orphans'
import { takeSnapshot, createApiClient, fetchToken } from '../../../test/api-client'
import { password } from '../../../test/test-data'
import { platformTables } from '../../db/platform-tables'

/** The default of LOGIN_ATTEMPTS_MAX_RETRIES. */
const defaultLoginAttempts = 6

/** Adds to acme one row of every kind that can belong to an account or refer to it. */
const addAccountContents = async ({ app, database: { db }, testData, services }: Backend) => {
  const { account: account_sid, application: application_sid, voip_carrier: voip_carrier_sid } = testData.acme
  const lcr_sid = randomUUID()
  const lcr_route_sid = randomUUID()
  const lcr_carrier_set_entry_sid = randomUUID()
  const speech_credential_sid = randomUUID()
  const account_subscription_sid = randomUUID()
  await db
    .insertInto('clients')
    .values({ client_sid: randomUUID(), account_sid, username: 'u', password: 'p' })
    .execute()
  await db.insertInto('lcr').values({ lcr_sid, name: 'routes', account_sid }).execute()
  await db.insertInto('lcr_routes').values({ lcr_route_sid, lcr_sid, regex: '.*', priority: 1 }).execute()
  await db
    .insertInto('lcr_carrier_set_entry')
    .values({ lcr_carrier_set_entry_sid, lcr_route_sid, voip_carrier_sid })
    .execute()
  await db
    .updateTable('lcr')
    .set({ default_carrier_set_entry_sid: lcr_carrier_set_entry_sid })
    .where('lcr_sid', '=', lcr_sid)
    .execute()
  await db
    .insertInto('smpp_gateways')
    .values({ smpp_gateway_sid: randomUUID(), ipv4: '192.0.2.1', voip_carrier_sid })
    .execute()
  await db
    .insertInto('speech_credentials')
    .values({ speech_credential_sid, account_sid, vendor: 'google', credential: 'x' })
    .execute()
  await db
    .insertInto('google_custom_voices')
    .values({ google_custom_voice_sid: randomUUID(), speech_credential_sid, model: 'm', name: 'n' })
    .execute()
  await db
    .insertInto('account_limits')
    .values({ account_limits_sid: randomUUID(), account_sid, category: 'device', quantity: 1 })
    .execute()
  await db
    .insertInto('account_static_ips')
    .values({
      account_static_ip_sid: randomUUID(),
      account_sid,
      public_ipv4: '192.0.2.2',
      private_ipv4: Buffer.from('10.0.0.1'),
    })
    .execute()
  await db.insertInto('account_subscriptions').values({ account_subscription_sid, account_sid }).execute()
  const { product_sid } = await db.selectFrom('products').select('product_sid').limit(1).executeTakeFirstOrThrow()
  await db
    .insertInto('account_products')
    .values({ account_product_sid: randomUUID(), account_subscription_sid, product_sid, quantity: 1 })
    .execute()
  await db
    .insertInto('account_offers')
    .values({ account_offer_sid: randomUUID(), account_sid, product_sid, stripe_product_id: 'x' })
    .execute()
  await db
    .insertInto('call_routes')
    .values({ call_route_sid: randomUUID(), priority: 1, account_sid, regex: '.*', application_sid })
    .execute()
  await db
    .insertInto('dns_records')
    .values({ dns_record_sid: randomUUID(), account_sid, record_type: 'A', record_id: 1 })
    .execute()
  await db
    .insertInto('ms_teams_tenants')
    .values({
      ms_teams_tenant_sid: randomUUID(),
      service_provider_sid: testData.providers.north,
      account_sid,
      application_sid,
      tenant_fqdn: 'a.example.com',
    })
    .execute()
  await db
    .insertInto('trunkline_email_changes')
    .values({ user_sid: testData.users.acme, confirmed_email: '', new_email: 'x', link_hash: 'x', expires_at: 1 })
    .execute()
  await createApiClient(app, testData.keys.acme)('POST', '/ApiKeys', { account_sid, name: 'Voice agent' })
  // The account refers to one of its applications, which must not prevent the deletion of the account. A phone number of
  // another account uses the carrier.
  await services.accounts.update(account_sid, {
    siprec_hook_sid: application_sid,
    device_calling_application_sid: application_sid,
  })
  await services.phoneNumbers.update(testData.bolt.phone_number, { voip_carrier_sid })
  await createApiClient(app, testData.keys.acme)('PUT', `/Accounts/${account_sid}`, {
    registration_hook: { url: 'https://example.com/r' },
  })
}

describe.each(databaseEngines)('removing an account (%s)', (databaseEngine) => {
  let backend: Backend
  let accountPath: string
  beforeEach(async () => {
    backend = await startBackend({ databaseEngine })
    accountPath = `/Accounts/${backend.testData.acme.account}`
    await addAccountContents(backend)
  })
  afterEach(() => backend.close())

  const createNorthClient = () => createApiClient(backend.app, backend.testData.keys.north)

  it('deletes all its records, and no records of other owners', async () => {
    const { database, testData } = backend
    const token = await fetchToken(backend.app, 'acme')
    const fetchBoltRecords = async () => {
      const request = createApiClient(backend.app, testData.keys.bolt)
      const lists = await Promise.all(
        ['/Applications', '/VoipCarriers', '/Accounts'].map((listPath) => request('GET', listPath)),
      )
      return lists.map(({ body }) => body)
    }
    const initialBoltRecords = await fetchBoltRecords()
    expect(await createNorthClient()('DELETE', accountPath, {})).toMatchObject({ status: 204, body: undefined })
    for (const table of platformTables.filter(({ columns }) => 'account_sid' in columns)) {
      const { rows } =
        await sql`select 1 from ${sql.table(table.name)} where account_sid = ${testData.acme.account}`.execute(
          database.db,
        )
      expect(rows, table.name).toEqual([])
    }
    // The rows of bolt and corp remain.
    const remainingRows = {
      lcr: 2,
      lcr_routes: 2,
      lcr_carrier_set_entry: 0,
      smpp_gateways: 2,
      // Includes the voices of the two providers.
      google_custom_voices: 4,
      account_products: 0,
      trunkline_api_key_names: 0,
      trunkline_email_changes: 0,
    }
    for (const [name, count] of Object.entries(remainingRows))
      expect((await sql`select 1 from ${sql.table(name)}`.execute(database.db)).rows, name).toHaveLength(count)
    expect(await findOrphanedWebhooks(database)).toEqual([])
    expect(await fetchBoltRecords()).toEqual(initialBoltRecords)
    const phoneNumber = await createApiClient(backend.app, testData.keys.bolt)(
      'GET',
      `/PhoneNumbers/${testData.bolt.phone_number}`,
    )
    expect(phoneNumber).toMatchObject({ status: 200, body: { voip_carrier_sid: null } })
    expect(await createApiClient(backend.app, token)('GET', '/Users/me')).toMatchObject({ status: 401 })
    expect(await createApiClient(backend.app, testData.keys.acme)('GET', '/Accounts')).toMatchObject({ status: 401 })
    expect((await createNorthClient()('GET', '/PhoneNumbers?page=1')).body.total).toBe(1)
    expect((await createNorthClient()('GET', '/Accounts?page=1')).body.total).toBe(1)
    expect(await createNorthClient()('DELETE', accountPath)).toMatchObject({ status: 404, body: 'Not Found' })
  })

  it('changes nothing if one of its statements fails', async () => {
    const { db } = backend.database
    await sql
      .raw(
        databaseEngine === 'sqlite'
          ? `create trigger refuse_deletion before delete on applications begin select raise(abort, 'refused'); end`
          : `create trigger refuse_deletion before delete on applications for each row signal sqlstate '45000' set message_text = 'refused'`,
      )
      .execute(db)
    const token = await fetchToken(backend.app, 'acme')
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await createNorthClient()('DELETE', accountPath)).toMatchObject({
      status: 500,
      body: { msg: 'Something went wrong, please try again.' },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    expect(await createApiClient(backend.app, token)('GET', '/Users/me')).toMatchObject({ status: 200 })
  })

  it('requires the password from its own users', async () => {
    const acmeClient = createApiClient(backend.app, await fetchToken(backend.app, 'acme'))
    const initialSnapshot = await takeSnapshot(backend.database)
    for (const body of [undefined, {}, { password: '' }, { password: 7 }])
      expect(await acmeClient('DELETE', accountPath, body)).toMatchObject({
        status: 400,
        body: { msg: 'password is required', field: 'password' },
      })
    expect(await acmeClient('DELETE', accountPath, { password: 'wrong' })).toMatchObject({
      status: 403,
      body: { msg: 'password is incorrect' },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    expect(await acmeClient('DELETE', accountPath, { password })).toMatchObject({ status: 204 })
    expect(await acmeClient('GET', '/Users/me')).toMatchObject({ status: 401 })
  })

  it('counts wrong passwords, and refuses the correct one once the user is locked out', async () => {
    const { app, testData } = backend
    const acmeClient = createApiClient(app, await fetchToken(app, 'acme'))
    const passwordRefusal = { status: 403, body: { msg: 'password is incorrect' } }
    const readFailures = () => backend.database.db.selectFrom('trunkline_login_failures').selectAll().execute()
    expect(await readFailures()).toEqual([])
    for (let attempt = 0; attempt < defaultLoginAttempts; attempt += 1)
      expect(await acmeClient('DELETE', accountPath, { password: 'wrong' })).toMatchObject(passwordRefusal)
    expect(await acmeClient('DELETE', accountPath, { password })).toMatchObject(passwordRefusal)
    const signIn = await createApiClient(app)('POST', '/login', { username: 'acme', password })
    expect(signIn).toMatchObject({ status: 403 })
    await backend.services.lockout.reset(testData.users.acme)
    expect(await acmeClient('DELETE', accountPath, { password })).toMatchObject({ status: 204 })
  })

  it('requires no password from its own API key', async () => {
    expect(await createApiClient(backend.app, backend.testData.keys.acme)('DELETE', accountPath)).toMatchObject({
      status: 204,
    })
  })
})
