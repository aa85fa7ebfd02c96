import { sql, type Kysely } from 'kysely'
import type { Tables } from './schema'

/** What happened to an account, and in which of its applications, when that is said. */
export interface AccountReference {
  account_sid: string | null
  application_sid?: string | null
}

interface NamedRecord {
  sid: string
  name: string
  account_sid: string
}

const findNames = async (db: Kysely<Tables>, table: 'accounts' | 'applications', sids: readonly unknown[]) => {
  const uniqueSids = [...new Set(sids.filter((sid) => typeof sid === 'string' && sid !== ''))]
  if (uniqueSids.length === 0) return new Map<string, NamedRecord>()
  const sid = sql.ref(table === 'accounts' ? 'account_sid' : 'application_sid')
  const { rows } = await sql<NamedRecord>`select ${sid} as sid, name, account_sid from ${sql.table(table)}
    where ${sid} in (${sql.join(uniqueSids)})`.execute(db)
  return new Map(rows.map((row) => [row.sid, row]))
}

/**
 * Rows with the names of what they point at, in one question for each kind; null where it is not there any more. Who
 * writes a row chooses its application: only one of the row's own account is named.
 */
export const withAccountAndApplicationNames = async <Row extends AccountReference>(
  db: Kysely<Tables>,
  rows: readonly Row[],
) => {
  const [accounts, applications] = await Promise.all([
    findNames(
      db,
      'accounts',
      rows.map(({ account_sid }) => account_sid),
    ),
    findNames(
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
