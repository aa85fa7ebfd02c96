import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSharedDatabase, databaseEngines, type SharedDatabase } from '../../test/databases'
import { uuid } from '../secrets/ids'
import type { Database } from './database'
import { defaultServiceProviderSid } from './seed-data'
import { createMysqlTableVersions, findTables, type TableVersions } from './table-versions'

it('finds the tables of a statement on both engines', () => {
  expect(findTables('select 1 from "accounts" t left join webhooks on 1 = 1')).toEqual(['accounts', 'webhooks'])
  expect(
    findTables(
      'select (select count(*) from `phone_numbers` t where t.account_sid in (select account_sid from accounts)) + 1 from (select 1) p JOIN Accounts a',
    ),
  ).toEqual(['phone_numbers', 'accounts'])
})

describe.each(databaseEngines)('the version of tables (%s)', (databaseEngine) => {
  let shared: SharedDatabase
  let database: Database
  let otherProgram: Database
  let versions: TableVersions

  beforeAll(async () => {
    shared = await createSharedDatabase(databaseEngine)
    ;({ database, otherProgram } = shared)
    versions = databaseEngine === 'mysql' ? createMysqlTableVersions(database.db, 1) : database.tableVersions
  })
  afterAll(() => shared.close())

  /** On MySQL, a version is settled once the second of the last change is over. */
  const readSettled = async (tables: readonly string[]): Promise<string> => {
    for (;;) {
      const { text, isSettled } = await versions.read(tables)
      if (isSettled) return text
      await delay(100)
    }
  }
  const account = (account_sid = uuid()) => ({
    account_sid,
    name: 'new',
    service_provider_sid: defaultServiceProviderSid,
    webhook_secret: 'secret',
  })
  const insertAccount = (connection: Database, account_sid?: string) =>
    connection.db.insertInto('accounts').values(account(account_sid)).execute()
  const webhook = () => ({ webhook_sid: uuid(), url: 'https://example.com' })

  it('changes with every insert, update and delete, in any connection', async () => {
    const account_sid = uuid()
    const changes: ((connection: Database) => Promise<unknown>)[] = [
      (connection) => insertAccount(connection, account_sid),
      ({ db }) => db.updateTable('accounts').set({ name: uuid() }).where('account_sid', '=', account_sid).execute(),
      ({ db }) => db.deleteFrom('accounts').where('account_sid', '=', account_sid).execute(),
    ]
    const seenTexts = new Set([await readSettled(['accounts'])])
    for (const connection of [database, otherProgram])
      for (const change of changes) {
        await change(connection)
        const text = await readSettled(['accounts'])
        expect(seenTexts).not.toContain(text)
        seenTexts.add(text)
      }
  })

  it('stays the same when other tables change', async () => {
    await insertAccount(database)
    const text = await readSettled(['accounts'])
    await database.db.insertInto('webhooks').values(webhook()).execute()
    expect(await versions.read(['accounts'])).toEqual({ text, isSettled: true })
    expect((await versions.read(['accounts', 'webhooks'])).text).not.toBe(text)
  })

  it('changes when a foreign key deletes rows', async () => {
    const account_sid = uuid()
    await insertAccount(database, account_sid)
    await database.db
      .insertInto('account_limits')
      .values({ account_limits_sid: uuid(), account_sid, category: 'device', quantity: 1 })
      .execute()
    const text = await readSettled(['account_limits'])
    await database.db.deleteFrom('accounts').where('account_sid', '=', account_sid).execute()
    expect(await readSettled(['account_limits'])).not.toBe(text)
  })

  it('changes with the commit of a transaction that was running during the last check', async () => {
    const webhooksBefore = await readSettled(['webhooks'])
    await database.db.transaction().execute(async (tx) => {
      await tx.insertInto('webhooks').values(webhook()).execute()
    })
    expect(await readSettled(['webhooks'])).not.toBe(webhooksBefore)
    let textDuring = ''
    await otherProgram.db.transaction().execute(async (tx) => {
      await tx.insertInto('webhooks').values(webhook()).execute()
      textDuring = (await versions.read(['webhooks'])).text
    })
    expect(await readSettled(['webhooks'])).not.toBe(textDuring)
  })

  it.runIf(databaseEngine === 'sqlite')(
    'survives a rollback of the transaction in which a table is first read',
    async () => {
      let read: Promise<unknown> = Promise.resolve()
      const transaction = database.db.transaction().execute(async (tx) => {
        await tx.insertInto('webhooks').values(webhook()).execute()
        read = versions.read(['lcr'])
        throw new Error('roll back')
      })
      await expect(transaction).rejects.toThrow('roll back')
      await read
      const { text } = await versions.read(['lcr'])
      await database.db.insertInto('lcr').values({ lcr_sid: uuid(), name: 'new' }).execute()
      expect((await versions.read(['lcr'])).text).not.toBe(text)
    },
  )

  it.runIf(databaseEngine === 'mysql')('is not settled just after a change, or for an unknown table', async () => {
    await insertAccount(database)
    expect(await createMysqlTableVersions(database.db).read(['accounts'])).toMatchObject({ isSettled: false })
    expect(await versions.read(['no_such_table'])).toMatchObject({ isSettled: false })
  })
})
