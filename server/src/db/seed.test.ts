import { afterEach, describe, expect, test } from 'vitest'
import { cheapPasswordCost, databaseEngines, createSeededDatabase } from '../../test/databases'
import type { SeededDatabase } from '../../test/databases'
import { uuid } from '../secrets/ids'
import { verifyPassword } from '../secrets/password'
import { findPublishedTokens, seedAdmin } from './seed-admin'
import { defaultAccountSid, defaultServiceProviderSid, publishedTokens } from './seed-data'
import { seed } from './seed'

describe.each(databaseEngines)('the initial rows on %s', (databaseEngine) => {
  let database: SeededDatabase
  afterEach(() => database.close())

  test('are those of a new platform, with a generated secret and no published token', async () => {
    database = await createSeededDatabase(databaseEngine)
    const { db } = database
    expect(await seed(db)).toBe(false)
    expect(await db.selectFrom('permissions').select('name').orderBy('name').execute()).toEqual([
      { name: 'PROVISION_SERVICES' },
      { name: 'PROVISION_USERS' },
      { name: 'VIEW_ONLY' },
    ])
    expect(await db.selectFrom('service_providers').select(['service_provider_sid', 'name']).execute()).toEqual([
      { service_provider_sid: defaultServiceProviderSid, name: 'default service provider' },
    ])
    const account = await db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow()
    expect(account).toMatchObject({
      account_sid: defaultAccountSid,
      name: 'default account',
      plan_type: 'free',
      is_active: 1,
    })
    expect(account.webhook_secret).toMatch(/^wh_secret_[1-9A-HJ-NP-Za-km-z]{22}$/)
    expect(await db.selectFrom('products').select('name').orderBy('name').execute()).toEqual([
      { name: 'api call' },
      { name: 'concurrent call session' },
      { name: 'registered device' },
    ])
    // A sample application or webhook would refer to a third-party server.
    expect(await db.selectFrom('applications').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('webhooks').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('schema_version').selectAll().execute()).toEqual([{ version: '0.9.6' }])
    expect(await db.selectFrom('api_keys').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('users').selectAll().execute()).toEqual([])
    expect(await findPublishedTokens(db)).toEqual([])
  })

  test('are not added again if only the version row is missing, which is restored', async () => {
    database = await createSeededDatabase(databaseEngine)
    const { db } = database
    await db.deleteFrom('schema_version').execute()
    expect(await seed(db)).toBe(false)
    expect(await db.selectFrom('schema_version').selectAll().execute()).toEqual([{ version: '0.9.6' }])
    expect(await db.selectFrom('permissions').selectAll().execute()).toHaveLength(3)
  })

  test('contain five predefined carriers with their gateways', async () => {
    database = await createSeededDatabase(databaseEngine)
    const countGateways = async (table: 'predefined_sip_gateways' | 'predefined_smpp_gateways') => {
      const rows = await database.db
        .selectFrom(table)
        .innerJoin('predefined_carriers as c', 'c.predefined_carrier_sid', `${table}.predefined_carrier_sid`)
        .select(['c.name', `${table}.inbound`, `${table}.outbound`])
        .execute()
      const counts: Record<string, [inbound: number, outbound: number]> = {}
      for (const { name, inbound, outbound } of rows) {
        const [inboundCount, outboundCount] = counts[name] ?? [0, 0]
        counts[name] = [inboundCount + inbound, outboundCount + outbound]
      }
      return counts
    }
    expect(await countGateways('predefined_sip_gateways')).toEqual({
      TelecomsXChange: [1, 1],
      Twilio: [9, 1],
      Voxbone: [6, 1],
      Simwood: [5, 1],
      Retell: [0, 1],
    })
    expect(await countGateways('predefined_smpp_gateways')).toEqual({ TelecomsXChange: [2, 1] })
  })

  test('creates the admin once and returns the generated password once', async () => {
    database = await createSeededDatabase(databaseEngine)
    const { db } = database
    const seededAdmin = await seedAdmin(db, { cost: cheapPasswordCost })
    expect(seededAdmin.password).toMatch(/^[\w-]{24}$/)
    const user = await db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
    expect(user).toMatchObject({
      user_sid: seededAdmin.user_sid,
      name: 'admin',
      email: '',
      provider: 'local',
      force_change: 1,
      email_validated: 0,
      is_active: 1,
      account_sid: null,
      service_provider_sid: null,
    })
    expect(await verifyPassword(user.hashed_password, seededAdmin.password ?? '')).toBe(true)
    expect(await db.selectFrom('user_permissions').selectAll().execute()).toHaveLength(3)
    expect(await seedAdmin(db, { password: 'another', cost: cheapPasswordCost })).toEqual({ isApiKeyAdded: false })
    expect(await db.selectFrom('users').selectAll().execute()).toHaveLength(1)
  })

  test('does not count users of a provider or an account as admins, and returns no password that the caller chose', async () => {
    database = await createSeededDatabase(databaseEngine)
    const { db } = database
    const user = { name: 'u', email: 'u@example.com', provider: 'local' }
    await db
      .insertInto('users')
      .values({ user_sid: uuid(), ...user, service_provider_sid: defaultServiceProviderSid })
      .execute()
    const seededAdmin = await seedAdmin(db, { password: 'chosen', cost: cheapPasswordCost })
    expect(seededAdmin).toEqual({ user_sid: expect.any(String) as string, isApiKeyAdded: false })
  })

  test('adds the requested admin API key once, and finds published tokens', async () => {
    database = await createSeededDatabase(databaseEngine, {})
    const { db } = database
    const apiKey = uuid()
    expect(await seedAdmin(db, { apiKey, cost: cheapPasswordCost })).toEqual({ isApiKeyAdded: true })
    expect(await seedAdmin(db, { apiKey, cost: cheapPasswordCost })).toEqual({ isApiKeyAdded: false })
    const keys = await db.selectFrom('api_keys').select(['token', 'account_sid', 'service_provider_sid']).execute()
    expect(keys).toEqual([{ token: apiKey, account_sid: null, service_provider_sid: null }])
    const api_key_sid = uuid()
    await db
      .insertInto('api_keys')
      .values({ api_key_sid, token: publishedTokens[1] ?? '', account_sid: defaultAccountSid })
      .execute()
    expect(await findPublishedTokens(db)).toEqual([
      { api_key_sid, account_sid: defaultAccountSid, service_provider_sid: null },
    ])
  })
})
