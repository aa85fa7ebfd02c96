import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databaseEngines, createSeededDatabase } from '../../test/databases'
import type { SeededDatabase } from '../../test/databases'
import { uuid } from '../secrets/ids'
import { classifyDatabaseError } from './errors'
import type { DatabaseError } from './errors'
import { defaultAccountSid } from './seed-data'

/** The error of a query. Fails if the query succeeds, or if its error is not classified. */
const databaseErrorOf = async (query: Promise<unknown>): Promise<DatabaseError> => {
  const error: unknown = await query.then(
    () => expect.fail('the query succeeded'),
    (reason: unknown) => reason,
  )
  return classifyDatabaseError(error) ?? expect.fail(`unclassified: ${String(error)}`)
}

describe.each(databaseEngines)('constraints and types on %s', (databaseEngine) => {
  let database: SeededDatabase
  let carrierSid: string

  beforeAll(async () => {
    database = await createSeededDatabase(databaseEngine)
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    carrierSid = uuid()
    await database.db
      .insertInto('voip_carriers')
      .values({ voip_carrier_sid: carrierSid, name: `carrier ${carrierSid}` })
      .execute()
  })

  const addNumber = (number: string, voip_carrier_sid: string | null) =>
    database.db.insertInto('phone_numbers').values({ phone_number_sid: uuid(), number, voip_carrier_sid }).execute()

  test('reports a repeated value as a duplicate, with the same message on both engines', async () => {
    const addProvider = (name: string) =>
      database.db.insertInto('service_providers').values({ service_provider_sid: uuid(), name }).execute()
    const name = `Provider ${carrierSid}`
    await addProvider(name)
    const message = `Duplicate entry '${name}' for key 'name'`
    expect(await databaseErrorOf(addProvider(name))).toEqual({ kind: 'duplicate', index: 'name', message })
    expect(await databaseErrorOf(addProvider(name.toUpperCase()))).toMatchObject({ kind: 'duplicate', index: 'name' })
  })

  test('reports a repeated pair as a duplicate, in an insert of one row and of several', async () => {
    const index = 'phone_numbers_unique_idx_voip_carrier_number'
    await addNumber('15551230001', carrierSid)
    await addNumber('15551230001', null)
    await addNumber('15551230001', null)
    const message = `Duplicate entry '15551230001-${carrierSid}' for key '${index}'`
    expect(await databaseErrorOf(addNumber('15551230001', carrierSid))).toEqual({ kind: 'duplicate', index, message })

    const phoneNumberRow = (number: string) => ({ phone_number_sid: uuid(), number, voip_carrier_sid: carrierSid })
    const insertion = database.db
      .insertInto('phone_numbers')
      .values([phoneNumberRow('15551230002'), phoneNumberRow('15551230003'), phoneNumberRow('15551230003')])
      .execute()
    expect(await databaseErrorOf(insertion)).toEqual({
      kind: 'duplicate',
      index,
      message: `Duplicate entry '15551230003-${carrierSid}' for key '${index}'`,
    })
  })

  test('reports the duplicate of an update, built or raw SQL', async () => {
    const sid = uuid()
    await database.db
      .insertInto('service_providers')
      .values({ service_provider_sid: sid, name: `other ${sid}` })
      .execute()
    const message = "Duplicate entry 'default service provider' for key 'name'"
    const builtUpdate = database.db
      .updateTable('service_providers')
      .set({ description: 'x', name: 'default service provider' })
      .where('service_provider_sid', '=', sid)
      .execute()
    expect(await databaseErrorOf(builtUpdate)).toEqual({ kind: 'duplicate', index: 'name', message })
    const rawUpdate = sql`update ${sql.table('service_providers')}
      set ${sql.ref('description')} = ${'y'}, ${sql.ref('name')} = ${'default service provider'}
      where ${sql.ref('service_provider_sid')} = ${sid}`.execute(database.db)
    expect(await databaseErrorOf(rawUpdate)).toEqual({ kind: 'duplicate', index: 'name', message })
  })

  test('reports a repeated primary key as a duplicate', async () => {
    const secondInsertion = database.db
      .insertInto('voip_carriers')
      .values({ voip_carrier_sid: carrierSid, name: 'repeated' })
      .execute()
    const message = `Duplicate entry '${carrierSid}' for key 'PRIMARY'`
    expect(await databaseErrorOf(secondInsertion)).toEqual({ kind: 'duplicate', index: 'PRIMARY', message })
  })

  test('refuses an unknown reference and the deletion of a referenced row', async () => {
    expect(await databaseErrorOf(addNumber('15551230004', uuid()))).toMatchObject({
      kind: 'foreign_key',
      operation: 'write',
    })
    await addNumber('15551230004', carrierSid)
    const deletion = database.db.deleteFrom('voip_carriers').where('voip_carrier_sid', '=', carrierSid).execute()
    expect(await databaseErrorOf(deletion)).toMatchObject({ kind: 'foreign_key', operation: 'delete' })
    const rawDeletion = sql`delete from ${sql.table('voip_carriers')} where voip_carrier_sid = ${carrierSid}`.execute(
      database.db,
    )
    expect(await databaseErrorOf(rawDeletion)).toMatchObject({ kind: 'foreign_key', operation: 'delete' })
  })

  test('deletes child rows of the four cascading foreign keys', async () => {
    const { db } = database
    const [provider, account, user, credential] = [uuid(), uuid(), uuid(), uuid()]
    await db.insertInto('service_providers').values({ service_provider_sid: provider, name: provider }).execute()
    await db
      .insertInto('accounts')
      .values({ account_sid: account, service_provider_sid: provider, name: 'a', webhook_secret: 's' })
      .execute()
    await db
      .insertInto('account_limits')
      .values({ account_limits_sid: uuid(), account_sid: account, category: 'device', quantity: 5 })
      .execute()
    await db
      .insertInto('service_provider_limits')
      .values({
        service_provider_limits_sid: uuid(),
        service_provider_sid: provider,
        category: 'api_rate',
        quantity: 5,
      })
      .execute()
    await db.insertInto('users').values({ user_sid: user, name: 'u', email: 'u@x', provider: 'local' }).execute()
    const permission = await db.selectFrom('permissions').select('permission_sid').executeTakeFirstOrThrow()
    await db
      .insertInto('user_permissions')
      .values({ user_permissions_sid: uuid(), user_sid: user, ...permission })
      .execute()
    await db
      .insertInto('speech_credentials')
      .values({ speech_credential_sid: credential, vendor: 'google', credential: '{}' })
      .execute()
    await db
      .insertInto('google_custom_voices')
      .values({ google_custom_voice_sid: uuid(), speech_credential_sid: credential, model: 'm', name: 'n' })
      .execute()

    await db.deleteFrom('accounts').where('account_sid', '=', account).execute()
    await db.deleteFrom('service_providers').where('service_provider_sid', '=', provider).execute()
    await db.deleteFrom('users').where('user_sid', '=', user).execute()
    await db.deleteFrom('speech_credentials').where('speech_credential_sid', '=', credential).execute()
    const remainingRows = await Promise.all([
      db.selectFrom('account_limits').selectAll().where('account_sid', '=', account).execute(),
      db.selectFrom('service_provider_limits').selectAll().where('service_provider_sid', '=', provider).execute(),
      db.selectFrom('user_permissions').selectAll().where('user_sid', '=', user).execute(),
      db.selectFrom('google_custom_voices').selectAll().where('speech_credential_sid', '=', credential).execute(),
    ])
    expect(remainingRows).toEqual([[], [], [], []])
  })

  test('can insert into and delete from tables that reference each other in a cycle', async () => {
    const { db } = database
    const [lcr_sid, lcr_route_sid, entrySid] = [uuid(), uuid(), uuid()]
    await db.insertInto('lcr').values({ lcr_sid, name: 'routing' }).execute()
    await db.insertInto('lcr_routes').values({ lcr_route_sid, lcr_sid, regex: '.*', priority: 1 }).execute()
    await db
      .insertInto('lcr_carrier_set_entry')
      .values({ lcr_carrier_set_entry_sid: entrySid, lcr_route_sid, voip_carrier_sid: carrierSid })
      .execute()
    const setDefaultEntry = (sid: string | null) =>
      db.updateTable('lcr').set({ default_carrier_set_entry_sid: sid }).where('lcr_sid', '=', lcr_sid).execute()
    await setDefaultEntry(entrySid)
    const removeEntry = () =>
      db.deleteFrom('lcr_carrier_set_entry').where('lcr_carrier_set_entry_sid', '=', entrySid).execute()
    expect(await databaseErrorOf(removeEntry())).toMatchObject({ kind: 'foreign_key', operation: 'delete' })
    await setDefaultEntry(null)
    await removeEntry()
  })

  test.each([
    ['too long', { name: 'n'.repeat(65) }, "Data too long for column 'name' at row 1", 'name'],
    [
      'not a value of the enumeration',
      { trunk_type: 'none' as 'auth' },
      "Data truncated for column 'trunk_type' at row 1",
      'trunk_type',
    ],
    ['null', { name: null as unknown as string }, "Column 'name' cannot be null", 'name'],
  ])('reports a value that does not fit: %s', async (_, change, message, column) => {
    const insertion = database.db
      .insertInto('voip_carriers')
      .values({ voip_carrier_sid: uuid(), name: 'fits', ...change })
      .execute()
    expect(await databaseErrorOf(insertion)).toEqual({ kind: 'data', message, column })
  })

  test('reports dates, numbers and values of the wrong type as data errors', async () => {
    const invalidValues = [
      { created_at: 'yesterday' },
      { smpp_enquire_link_interval: 2 ** 40 },
      { smpp_enquire_link_interval: 'x' },
    ]
    for (const change of invalidValues) {
      const insertion = database.db
        .insertInto('voip_carriers')
        .values({ voip_carrier_sid: uuid(), name: 'fits', ...(change as object) })
        .execute()
      expect(await databaseErrorOf(insertion)).toMatchObject({ kind: 'data', column: Object.keys(change)[0] })
    }
    const objectUpdate = database.db
      .updateTable('voip_carriers')
      .set({ name: { voip_carrier_sid: 1 } as unknown as string })
      .execute()
    expect(await databaseErrorOf(objectUpdate)).toMatchObject({ kind: 'data' })
  })

  test('binds booleans and dates, and returns flags, counts and sums as numbers', async () => {
    const { db } = database
    const createdAt = new Date('2026-02-03T04:05:06.789Z')
    const row = { voip_carrier_sid: uuid(), name: 'ünïcode 📞', is_active: false, created_at: createdAt }
    await db
      .insertInto('voip_carriers')
      .values(row as never)
      .execute()
    const storedRow = await db
      .selectFrom('voip_carriers')
      .select(['name', 'is_active', 'created_at'])
      .where('voip_carrier_sid', '=', row.voip_carrier_sid)
      .where('is_active', '=', false as never)
      .executeTakeFirst()
    expect(storedRow).toEqual({ name: 'ünïcode 📞', is_active: 0, created_at: '2026-02-03 04:05:06' })
    const { rows } = await sql<Record<string, unknown>>`
      select count(*) as total, sum(netmask) as netmasks, ${true} as yes from predefined_sip_gateways`.execute(db)
    expect(rows).toEqual([{ total: 26, netmasks: expect.any(Number) as number, yes: 1 }])
  })

  test('fills omitted columns with their defaults, with the time in UTC', async () => {
    await database.db
      .insertInto('applications')
      .values({ application_sid: uuid(), name: 'hello world', account_sid: defaultAccountSid })
      .execute()
    const row = await database.db
      .selectFrom('applications')
      .selectAll()
      .where('name', '=', 'HELLO world')
      .where('account_sid', '=', defaultAccountSid)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ speech_recognizer_vendor: 'google', use_for_fallback_speech: 0, record_all_calls: 0 })
    expect(row.created_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(Math.abs(Date.parse(`${row.created_at.replace(' ', 'T')}Z`) - Date.now())).toBeLessThan(600_000)
  })

  test('stores quotes and backslashes unchanged', async () => {
    const name = `it's "a" \\' \\ name; -- %_`
    await database.db.updateTable('voip_carriers').set({ name }).where('voip_carrier_sid', '=', carrierSid).execute()
    const rows = await database.db
      .selectFrom('voip_carriers')
      .select('name')
      .where('name', '=', name)
      .where('voip_carrier_sid', '=', carrierSid)
      .execute()
    expect(rows).toEqual([{ name }])
  })

  test('rolls back a failed transaction', async () => {
    const name = `provider ${uuid()}`
    const transaction = database.db.transaction().execute(async (trx) => {
      await trx.insertInto('service_providers').values({ service_provider_sid: uuid(), name }).execute()
      await trx.insertInto('service_providers').values({ service_provider_sid: uuid(), name }).execute()
    })
    expect(await databaseErrorOf(transaction)).toMatchObject({ kind: 'duplicate' })
    const rows = await database.db.selectFrom('service_providers').select('name').where('name', '=', name).execute()
    expect(rows).toEqual([])
  })
})
