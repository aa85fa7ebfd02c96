import type { CallSubject, Tenant } from '../../ports/call-history'

/** The columns of a call that name the subjects. */
export type SubjectColumn = 'service_provider_sid' | 'account_sid' | 'trunk' | 'application_sid'

/** Subjects that one query reads: the values of one column. */
export interface SubjectGroup {
  column: SubjectColumn
  /** The owner of the calls, if the column does not name it. */
  tenant: Tenant | undefined
  values: { value: string; position: number }[]
}

const describeSubject = ({ tenant, trunk, application_sid }: CallSubject) => {
  if (trunk !== undefined) return { column: 'trunk' as const, tenant, value: trunk }
  if (application_sid !== undefined) return { column: 'application_sid' as const, tenant, value: application_sid }
  return 'account_sid' in tenant
    ? { column: 'account_sid' as const, tenant: undefined, value: tenant.account_sid }
    : { column: 'service_provider_sid' as const, tenant: undefined, value: tenant.service_provider_sid }
}

/** Groups subjects by the query that reads them. `position` is the index of a subject. */
export const groupSubjects = (subjects: readonly CallSubject[]): SubjectGroup[] => {
  const groups = new Map<string, SubjectGroup>()
  for (const [position, subject] of subjects.entries()) {
    const { column, tenant, value } = describeSubject(subject)
    const key = JSON.stringify([column, tenant])
    const group = groups.get(key) ?? { column, tenant, values: [] }
    group.values.push({ value, position })
    groups.set(key, group)
  }
  return [...groups.values()]
}
