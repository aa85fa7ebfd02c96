import { recordDependents } from '@trunkline/contract/resources/dependents'
import { request } from '../../lib/client'
import { paths } from '../../lib/paths'
import type { DependentRecord } from './dependents'

/** The screen of a record that has none of its own: an API key is managed on the screen of its account. */
const createHref = (kind: string, dependent: { kind: string; sid: string }, sid: string) =>
  kind === 'account' && dependent.kind === 'api_key' ? { href: `${paths.accounts.edit(sid)}#${dependent.sid}` } : {}

/** Requests the records that use a record, of all kinds at once, from a server with this capability. */
export const fetchDependentsOf = async (kind: string, sid: string): Promise<DependentRecord[]> => {
  const { dependents } = await request(recordDependents, { params: { kind, record_sid: sid } })
  return dependents.flatMap(({ kind: dependentKind, total, prevents_deletion, records }) =>
    records.map((record) => ({
      kind: dependentKind,
      ...record,
      total,
      preventsDeletion: prevents_deletion,
      ...createHref(kind, { kind: dependentKind, sid: record.sid }, sid),
    })),
  )
}
