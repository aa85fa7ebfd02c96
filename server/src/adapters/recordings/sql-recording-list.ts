import { sql } from 'kysely'
import { parseRecordingName } from '@trunkline/contract/calls/recording'
import type { Database } from '../../db/database'
import type { StoredRecording, RecordingList } from '../../ports/recording-store'
import { toPortError } from '../sql/port-errors'

/** Rows per statement. */
const batchSize = 500

interface Row {
  account_sid: string
  call_sid: string
  day: string
  format: string
}

const dayOf = ({ yyyy, mm, dd }: StoredRecording['name']) => `${yyyy}/${mm}/${dd}`

const recordingOf = ({ account_sid, call_sid, day, format }: Row): StoredRecording[] => {
  const [yyyy = '', mm = '', dd = ''] = day.split('/')
  const name = parseRecordingName({ call_sid, yyyy, mm, dd, format })
  return name ? [{ account_sid, name }] : []
}

/** Stores the list of recordings in a table of our own. Account SIDs ignore case, as in the recording store. */
export const sqlRecordingList = ({ db }: Pick<Database, 'db'>): RecordingList => {
  const withPortErrors = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work
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
              sql`(${account_sid.toLowerCase()}, ${name.call_sid}, ${dayOf(name)}, ${name.format})`,
          )
        await withPortErrors(
          sql`replace into trunkline_recordings (account_sid, call_sid, day, format) values ${sql.join(rows)}`.execute(
            db,
          ),
        )
      }
    },

    async discard({ account_sid, name }) {
      await withPortErrors(
        db
          .deleteFrom('trunkline_recordings')
          .where('account_sid', '=', account_sid.toLowerCase())
          .where('call_sid', '=', name.call_sid)
          .where('day', '=', dayOf(name))
          .execute(),
      )
    },

    async removeAccount(account_sid) {
      await withPortErrors(
        db.deleteFrom('trunkline_recordings').where('account_sid', '=', account_sid.toLowerCase()).execute(),
      )
    },

    async accountsOf(call_sid) {
      const query = db.selectFrom('trunkline_recordings').select('account_sid').distinct()
      const rows = await withPortErrors(query.where('call_sid', '=', call_sid).execute())
      return rows.map(({ account_sid }) => account_sid)
    },

    async findByCalls(calls) {
      const normalized = calls.map(({ account_sid, call_sid }) => ({
        account_sid: account_sid.toLowerCase(),
        call_sid,
      }))
      const accounts = [...new Set(normalized.map(({ account_sid }) => account_sid))]
      if (accounts.length === 0) return []
      // One condition per account: with two IN lists, engines would try every combination.
      const conditions = accounts.map((account) => {
        const callSids = normalized.filter(({ account_sid }) => account_sid === account).map(({ call_sid }) => call_sid)
        return sql`(account_sid = ${account} and call_sid in (${sql.join(callSids)}))`
      })
      const { rows } = await withPortErrors(
        sql<Row>`select account_sid, call_sid, day, format from trunkline_recordings
          where ${sql.join(conditions, sql` or `)} order by day`.execute(db),
      )
      return rows.flatMap(recordingOf)
    },
  }
}
