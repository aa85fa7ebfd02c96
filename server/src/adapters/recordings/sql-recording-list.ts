import { sql } from 'kysely'
import { recordingName } from '@trunkline/contract/calls/recording'
import type { Database } from '../../db/database'
import type { RecordingEntry, RecordingList } from '../../ports/recording-archive'
import { toPortError } from '../sql/errors'

/** Rows of one statement. */
const chunk = 500

interface Row {
  account_sid: string
  call_sid: string
  day: string
  format: string
}

const dayOf = ({ yyyy, mm, dd }: RecordingEntry['name']) => `${yyyy}/${mm}/${dd}`

const recordingOf = ({ account_sid, call_sid, day, format }: Row): RecordingEntry[] => {
  const [yyyy = '', mm = '', dd = ''] = day.split('/')
  const name = recordingName({ call_sid, yyyy, mm, dd, format })
  return name ? [{ account_sid, name }] : []
}

/** The list of recordings in a table of our own. Letters' case does not count in an account's sid, as in the archive. */
export const sqlRecordingList = ({ db }: Pick<Database, 'db'>): RecordingList => {
  const told = async <Answer>(work: Promise<Answer>): Promise<Answer> => {
    try {
      return await work
    } catch (error) {
      throw toPortError(error)
    }
  }

  return {
    async add(recordings) {
      for (let at = 0; at < recordings.length; at += chunk) {
        const rows = recordings
          .slice(at, at + chunk)
          .map(
            ({ account_sid, name }) =>
              sql`(${account_sid.toLowerCase()}, ${name.call_sid}, ${dayOf(name)}, ${name.format})`,
          )
        await told(
          sql`replace into trunkline_recordings (account_sid, call_sid, day, format) values ${sql.join(rows)}`.execute(
            db,
          ),
        )
      }
    },

    async drop({ account_sid, name }) {
      await told(
        db
          .deleteFrom('trunkline_recordings')
          .where('account_sid', '=', account_sid.toLowerCase())
          .where('call_sid', '=', name.call_sid)
          .where('day', '=', dayOf(name))
          .execute(),
      )
    },

    async forget(account_sid) {
      await told(db.deleteFrom('trunkline_recordings').where('account_sid', '=', account_sid.toLowerCase()).execute())
    },

    async accountsOf(call_sid) {
      const query = db.selectFrom('trunkline_recordings').select('account_sid').distinct()
      const rows = await told(query.where('call_sid', '=', call_sid).execute())
      return rows.map(({ account_sid }) => account_sid)
    },

    async of(calls) {
      const named = calls.map(({ account_sid, call_sid }) => ({ account_sid: account_sid.toLowerCase(), call_sid }))
      const accounts = [...new Set(named.map(({ account_sid }) => account_sid))]
      if (accounts.length === 0) return []
      // account by account: two lists beside each other would have an engine try each with each
      const of = accounts.map((account) => {
        const own = named.filter(({ account_sid }) => account_sid === account).map(({ call_sid }) => call_sid)
        return sql`(account_sid = ${account} and call_sid in (${sql.join(own)}))`
      })
      const { rows } = await told(
        sql<Row>`select account_sid, call_sid, day, format from trunkline_recordings
          where ${sql.join(of, sql` or `)} order by day`.execute(db),
      )
      return rows.flatMap(recordingOf)
    },
  }
}
