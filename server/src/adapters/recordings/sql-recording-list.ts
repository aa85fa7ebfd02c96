import { sql } from 'kysely'
import { parseRecordingName } from '@trunkline/contract/calls/recording'
import type { Database } from '../../db/database'
import type { StoredRecording, RecordingList } from '../../ports/recording-store'
import { toPortError } from '../sql/port-errors'

/** Rows per statement. */
const batchSize = 500

interface RecordingRow {
  account_sid: string
  call_sid: string
  day: string
  format: string
}

const formatDay = ({ yyyy, mm, dd }: StoredRecording['name']) => `${yyyy}/${mm}/${dd}`

const parseRow = ({ account_sid, call_sid, day, format }: RecordingRow): StoredRecording[] => {
  const [yyyy = '', mm = '', dd = ''] = day.split('/')
  const name = parseRecordingName({ call_sid, yyyy, mm, dd, format })
  return name ? [{ account_sid, name }] : []
}

/** Creates the list of recordings in a table. Account SIDs ignore case, as in the recording store. */
export const createSqlRecordingList = ({ db }: Pick<Database, 'db'>): RecordingList => {
  const withPortErrors = async <Result>(query: Promise<Result>): Promise<Result> => {
    try {
      return await query
    } catch (error) {
      throw toPortError(error)
    }
  }

  return {
    async add(recordings) {
      for (let start = 0; start < recordings.length; start += batchSize) {
        const rows = recordings
          .slice(start, start + batchSize)
          .map(
            ({ account_sid, name }) =>
              sql`(${account_sid.toLowerCase()}, ${name.call_sid}, ${formatDay(name)}, ${name.format})`,
          )
        await withPortErrors(
          sql`replace into trunkline_recordings (account_sid, call_sid, day, format) values ${sql.join(rows)}`.execute(
            db,
          ),
        )
      }
    },

    async remove({ account_sid, name }) {
      await withPortErrors(
        db
          .deleteFrom('trunkline_recordings')
          .where('account_sid', '=', account_sid.toLowerCase())
          .where('call_sid', '=', name.call_sid)
          .where('day', '=', formatDay(name))
          .execute(),
      )
    },

    async removeByAccount(account_sid) {
      await withPortErrors(
        db.deleteFrom('trunkline_recordings').where('account_sid', '=', account_sid.toLowerCase()).execute(),
      )
    },

    async findAccounts(call_sid) {
      const accountQuery = db.selectFrom('trunkline_recordings').select('account_sid').distinct()
      const rows = await withPortErrors(accountQuery.where('call_sid', '=', call_sid).execute())
      return rows.map(({ account_sid }) => account_sid)
    },

    async findByCalls(calls) {
      const normalizedCalls = calls.map(({ account_sid, call_sid }) => ({
        account_sid: account_sid.toLowerCase(),
        call_sid,
      }))
      const accountSids = [...new Set(normalizedCalls.map(({ account_sid }) => account_sid))]
      if (accountSids.length === 0) return []
      // One condition per account: with two IN lists, engines would try every combination.
      const conditions = accountSids.map((accountSid) => {
        const callSids = normalizedCalls
          .filter(({ account_sid }) => account_sid === accountSid)
          .map(({ call_sid }) => call_sid)
        return sql`(account_sid = ${accountSid} and call_sid in (${sql.join(callSids)}))`
      })
      const { rows } = await withPortErrors(
        sql<RecordingRow>`select account_sid, call_sid, day, format from trunkline_recordings
          where ${sql.join(conditions, sql` or `)} order by day`.execute(db),
      )
      return rows.flatMap(parseRow)
    },
  }
}
