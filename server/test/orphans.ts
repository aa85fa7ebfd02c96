import { sql } from 'kysely'
import type { Database } from '../src/db/database'

/** Webhooks that no record references. There must never be any. */
export const findOrphanedWebhooks = async ({ db }: Pick<Database, 'db'>): Promise<string[]> => {
  const { rows } = await sql<{ url: string }>`select url from webhooks where webhook_sid not in (
    select call_hook_sid from applications where call_hook_sid is not null
    union select call_status_hook_sid from applications where call_status_hook_sid is not null
    union select messaging_hook_sid from applications where messaging_hook_sid is not null
    union select registration_hook_sid from accounts where registration_hook_sid is not null
    union select queue_event_hook_sid from accounts where queue_event_hook_sid is not null
    union select registration_hook_sid from service_providers where registration_hook_sid is not null)`.execute(db)
  return rows.map(({ url }) => url)
}
