import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { orphans } from '../../../test/orphans'
import { snapshot, apiClient, tokenFor } from '../../../test/speak'
import { password } from '../../../test/world'
import { platformTables } from '../../db/platform-tables'

/** One row of every kind that can belong to an account or refer to it. */
const fill = async ({ app, database: { db }, world, services }: Backend) => {
  const { account: account_sid, application: application_sid, voip_carrier: voip_carrier_sid } = world.acme
  const sid = randomUUID
  const [lcr_sid, lcr_route_sid, entry, credential, subscription] = [sid(), sid(), sid(), sid(), sid()]
  await db.insertInto('clients').values({ client_sid: sid(), account_sid, username: 'u', password: 'p' }).execute()
  await db.insertInto('lcr').values({ lcr_sid, name: 'routes', account_sid }).execute()
  await db.insertInto('lcr_routes').values({ lcr_route_sid, lcr_sid, regex: '.*', priority: 1 }).execute()
  await db
    .insertInto('lcr_carrier_set_entry')
    .values({ lcr_carrier_set_entry_sid: entry, lcr_route_sid, voip_carrier_sid })
    .execute()
  await db.updateTable('lcr').set({ default_carrier_set_entry_sid: entry }).where('lcr_sid', '=', lcr_sid).execute()
  await db
    .insertInto('smpp_gateways')
    .values({ smpp_gateway_sid: sid(), ipv4: '192.0.2.1', voip_carrier_sid })
    .execute()
  await db
    .insertInto('speech_credentials')
    .values({ speech_credential_sid: credential, account_sid, vendor: 'google', credential: 'x' })
    .execute()
  await db
    .insertInto('google_custom_voices')
    .values({ google_custom_voice_sid: sid(), speech_credential_sid: credential, model: 'm', name: 'n' })
    .execute()
  await db
    .insertInto('account_limits')
    .values({ account_limits_sid: sid(), account_sid, category: 'device', quantity: 1 })
    .execute()
  await db
    .insertInto('account_static_ips')
    .values({
      account_static_ip_sid: sid(),
      account_sid,
      public_ipv4: '192.0.2.2',
      private_ipv4: Buffer.from('10.0.0.1'),
    })
    .execute()
  await db.insertInto('account_subscriptions').values({ account_subscription_sid: subscription, account_sid }).execute()
  const { product_sid } = await db.selectFrom('products').select('product_sid').limit(1).executeTakeFirstOrThrow()
  await db
    .insertInto('account_products')
    .values({ account_product_sid: sid(), account_subscription_sid: subscription, product_sid, quantity: 1 })
    .execute()
  await db
    .insertInto('account_offers')
    .values({ account_offer_sid: sid(), account_sid, product_sid, stripe_product_id: 'x' })
    .execute()
  await db
    .insertInto('call_routes')
    .values({ call_route_sid: sid(), priority: 1, account_sid, regex: '.*', application_sid })
    .execute()
  await db
    .insertInto('dns_records')
    .values({ dns_record_sid: sid(), account_sid, record_type: 'A', record_id: 1 })
    .execute()
  await db
    .insertInto('ms_teams_tenants')
    .values({
      ms_teams_tenant_sid: sid(),
      service_provider_sid: world.providers.north,
      account_sid,
      application_sid,
      tenant_fqdn: 'a.example.com',
    })
    .execute()
  await db
    .insertInto('trunkline_email_changes')
    .values({ user_sid: world.users.acme, confirmed_email: '', new_email: 'x', link_hash: 'x', expires_at: 1 })
    .execute()
  // The account refers to its own application, which once prevented deletion. A number of another account uses its
  // carrier.
  await services.accounts.update(account_sid, {
    siprec_hook_sid: application_sid,
    device_calling_application_sid: application_sid,
  })
  await services.phoneNumbers.update(world.bolt.phone_number, { voip_carrier_sid })
  await apiClient(app, world.keys.acme)('PUT', `/Accounts/${account_sid}`, {
    registration_hook: { url: 'https://example.com/r' },
  })
}
describe.each(engines)('removing an account (%s)', (engine) => {
  let backend: Backend
  let path: string
  beforeEach(async () => {
    backend = await startBackend({ engine })
    path = `/Accounts/${backend.world.acme.account}`
    await fill(backend)
  })
  afterEach(() => backend.close())

  const north = () => apiClient(backend.app, backend.world.keys.north)

  it('deletes everything it owns, and nothing of others', async () => {
    const { database, world } = backend
    const token = await tokenFor(backend.app, 'acme')
    const otherRecords = async () => {
      const request = apiClient(backend.app, world.keys.bolt)
      const lists = await Promise.all(
        ['/Applications', '/VoipCarriers', '/Accounts'].map((list) => request('GET', list)),
      )
      return lists.map(({ body }) => body)
    }
    const initialValue = await otherRecords()
    expect(await north()('DELETE', path, {})).toMatchObject({ status: 204, body: undefined })
    for (const table of platformTables.filter(({ columns }) => 'account_sid' in columns)) {
      const { rows } =
        await sql`select 1 from ${sql.table(table.name)} where account_sid = ${world.acme.account}`.execute(database.db)
      expect(rows, table.name).toEqual([])
    }
    // Rows of bolt and corp, without any that depended on acme's.
    const left = {
      lcr: 2,
      lcr_routes: 2,
      lcr_carrier_set_entry: 0,
      smpp_gateways: 2,
      // Rows of the two providers.
      google_custom_voices: 4,
      account_products: 0,
      trunkline_email_changes: 0,
    }
    for (const [name, count] of Object.entries(left))
      expect((await sql`select 1 from ${sql.table(name)}`.execute(database.db)).rows, name).toHaveLength(count)
    expect(await orphans(database)).toEqual([])
    expect(await otherRecords()).toEqual(initialValue)
    const stored = await apiClient(backend.app, world.keys.bolt)('GET', `/PhoneNumbers/${world.bolt.phone_number}`)
    expect(stored).toMatchObject({ status: 200, body: { voip_carrier_sid: null } })
    expect(await apiClient(backend.app, token)('GET', '/Users/me')).toMatchObject({ status: 401 })
    expect(await apiClient(backend.app, world.keys.acme)('GET', '/Accounts')).toMatchObject({ status: 401 })
    expect((await north()('GET', '/PhoneNumbers?page=1')).body.total).toBe(1)
    expect((await north()('GET', '/Accounts?page=1')).body.total).toBe(1)
    expect(await north()('DELETE', path)).toMatchObject({ status: 404, body: 'Not Found' })
  })

  it('changes nothing if it fails halfway', async () => {
    const { db } = backend.database
    await sql
      .raw(
        engine === 'sqlite'
          ? `create trigger stop before delete on applications begin select raise(abort, 'stop'); end`
          : `create trigger stop before delete on applications for each row signal sqlstate '45000' set message_text = 'stop'`,
      )
      .execute(db)
    const token = await tokenFor(backend.app, 'acme')
    const initialSnapshot = await snapshot(backend.database)
    expect(await north()('DELETE', path)).toMatchObject({
      status: 500,
      body: { msg: 'Something went wrong, please try again.' },
    })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    expect(await apiClient(backend.app, token)('GET', '/Users/me')).toMatchObject({ status: 200 })
  })

  it('requires the password from its own users', async () => {
    const acme = apiClient(backend.app, await tokenFor(backend.app, 'acme'))
    const initialSnapshot = await snapshot(backend.database)
    for (const body of [undefined, {}, { password: '' }, { password: 7 }])
      expect(await acme('DELETE', path, body)).toMatchObject({
        status: 400,
        body: { msg: 'password is required', field: 'password' },
      })
    expect(await acme('DELETE', path, { password: 'wrong' })).toMatchObject({
      status: 403,
      body: { msg: 'password is incorrect' },
    })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    expect(await acme('DELETE', path, { password })).toMatchObject({ status: 204 })
    expect(await acme('GET', '/Users/me')).toMatchObject({ status: 401 })
  })

  it('requires no password from its own API key', async () => {
    expect(await apiClient(backend.app, backend.world.keys.acme)('DELETE', path)).toMatchObject({ status: 204 })
  })
})
