import { sql, type Kysely } from 'kysely'
import type { Tables } from './schema'

/** A row that refers to an account and possibly to an application. */
export interface AccountReference {
  account_sid: string | null
  application_sid?: string | null
}

interface NamedRecord {
  sid: string
  name: string
  account_sid: string
}

const findRecordsBySid = async (db: Kysely<Tables>, table: 'accounts' | 'applications', sids: readonly unknown[]) => {
  const uniqueSids = [...new Set(sids.filter((sid) => typeof sid === 'string' && sid !== ''))]
  if (uniqueSids.length === 0) return new Map<string, NamedRecord>()
  const sid = sql.ref(table === 'accounts' ? 'account_sid' : 'application_sid')
  const { rows } = await sql<NamedRecord>`select ${sid} as sid, name, account_sid from ${sql.table(table)}
    where ${sid} in (${sql.join(uniqueSids)})`.execute(db)
  return new Map(rows.map((row) => [row.sid, row]))
}

/**
 * Adds the names of the referenced accounts and applications, with one query per kind; null if the record no longer exists.
 * The writer of a row chooses its application_sid, so the name of another account's application is not revealed.
 */
export const addAccountAndApplicationNames = async <Row extends AccountReference>(
  db: Kysely<Tables>,
  rows: readonly Row[],
) => {
  const [accounts, applications] = await Promise.all([
    findRecordsBySid(
      db,
      'accounts',
      rows.map(({ account_sid }) => account_sid),
    ),
    findRecordsBySid(
      db,
      'applications',
      rows.map(({ application_sid }) => application_sid),
    ),
  ])
  return rows.map((row) => {
    const application = applications.get(row.application_sid ?? '')
    return {
      ...row,
      account_name: accounts.get(row.account_sid ?? '')?.name ?? null,
      ...(row.application_sid === undefined
        ? {}
        : { application_name: application?.account_sid === row.account_sid ? application.name : null }),
    }
  })
}
