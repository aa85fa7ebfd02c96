import type { Dependent } from '@trunkline/contract/kit/problem'
import type { RouteTypes, Route } from '@trunkline/contract/kit/route'
import { msTeamsTenant } from '@trunkline/contract/resources/ms-teams-tenant'
import { recordPath } from '../../lib/paths'
import { formatPhoneNumber } from '../../lib/phone-number'
import { Problem } from '../../lib/problem'
import { toCompleteList, filterCompleteList, requestListUntyped } from '../../lib/request-list'
import type { DependentGroup } from '../../ui/dependents'
import { getKindLabels } from './kind-labels'

/** A dependent: a record that uses another one, and prevents its deletion unless it says otherwise. */
export interface DependentRecord extends Dependent {
  /** The screen that manages it, if that is not its own edit screen. */
  href?: string
  /** False: it only uses the record or is deleted with it. */
  preventsDeletion?: boolean
}

/** The dependents that must be deleted or changed before the record can be deleted. */
export const selectBlockingDependents = (dependents: readonly DependentRecord[]): DependentRecord[] =>
  dependents.filter(({ preventsDeletion }) => preventsDeletion !== false)

const formatTitle = (kind: string, title: string) => (kind === 'phone_number' ? formatPhoneNumber(title) : title)

/** Groups dependents by kind. `listPaths`: the list of all dependents of a kind. */
export const groupDependents = (
  dependents: DependentRecord[],
  listPaths: Partial<Record<string, string>> = {},
): DependentGroup[] =>
  [...new Set(dependents.map(({ kind }) => kind))].map((kind) => {
    const dependentsOfKind = dependents.filter((dependent) => dependent.kind === kind)
    const links = dependentsOfKind.flatMap(({ sid, title, href = recordPath(kind, sid) }) =>
      href ? [{ label: formatTitle(kind, title), href }] : [],
    )
    const { icon, label } = getKindLabels(kind)
    return {
      icon,
      label,
      count: countDependents(dependentsOfKind, kind),
      links,
      href: listPaths[kind],
      mono: kind === 'phone_number',
    }
  })

/** The number of all dependents of a kind, of which only the first may be listed. */
export const countDependents = (dependents: readonly DependentRecord[], kind: string): number => {
  const dependentsOfKind = dependents.filter((dependent) => dependent.kind === kind)
  return Math.max(dependentsOfKind.length, ...dependentsOfKind.map(({ total = 0 }) => total))
}

/** The maximum number of dependents listed per kind. */
const maxPerKind = 20

export interface DependentsQuery {
  kind: string
  /** The route of the list. */
  list: Route<string, RouteTypes>
  params?: Record<string, string>
  query?: Record<string, string>
  /** Filters the rows, for servers that return a complete list. */
  matches?: (row: Record<string, unknown>) => boolean
  title: (row: Record<string, unknown>) => string
  href?: (row: Record<string, unknown>) => string
}

/** Returns the first dependents from a list, each with the number of all. Returns none if the server has no such list. */
export const fetchDependents = async ({
  kind,
  list,
  params,
  query,
  matches = () => true,
  title,
  href,
}: DependentsQuery): Promise<DependentRecord[]> => {
  // without a filter on the server, request the complete list: one page of it could miss dependents
  const listQuery = params || query ? { ...query, page: 1, page_size: maxPerKind } : {}
  const page = await requestListUntyped<Record<string, unknown>>(list, { params, query: listQuery }).catch((error) => {
    if (error instanceof Problem && error.status === 404) return toCompleteList([])
    throw error
  })
  const { rows, total = page.rows.length } = filterCompleteList(page, matches)
  const dependents = rows.map((row) => ({
    kind,
    sid: String(row[`${kind}_sid`]),
    title: title(row),
    total,
    ...(href ? { href: href(row) } : {}),
  }))
  // sorted here, because a complete list has no reliable order
  return dependents.sort((a, b) => a.title.localeCompare(b.title)).slice(0, maxPerKind)
}

/** The Microsoft Teams tenants that refer to a record in this column. */
export const fetchDependentTeamsTenants = (
  column: 'account_sid' | 'application_sid',
  sid: string,
): Promise<DependentRecord[]> =>
  fetchDependents({
    kind: 'ms_teams_tenant',
    list: msTeamsTenant.list,
    matches: (row) => row[column] === sid,
    title: (row) => String(row.tenant_fqdn),
  })
