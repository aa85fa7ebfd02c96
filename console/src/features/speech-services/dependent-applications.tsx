import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/speech-credential'
import type { Application } from '@trunkline/contract/shapes/application'
import { speechCredentialsOfAccount } from '@trunkline/contract/resources/speech-credential'
import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import { usesCredential } from './uses-credential'
import { namedQueryKey } from '../../lib/query-keys'
import { fetchAllPages } from '../../kit/list/all-pages'
import { fetchProviderApplications } from '../../panels/provider-applications'
import { groupDependents, type DependentRecord } from '../../kit/record/dependents'
import { useDependents } from '../../kit/record/use-dependents'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { BoxedDependents } from '../../ui/dependents'
import css from './dependent-applications.module.css'

/** The maximum number of applications to list. */
const maxListedApplications = 20

const createServiceUsageFilter = (row: SpeechCredential) => (application: Application) =>
  (row.account_sid === null || application.account_sid === row.account_sid) && usesCredential(application, row)

/**
 * Returns the applications that use a speech service. Our server lists them; others cannot filter by it, so this reads all
 * applications.
 */
const useDependentApplications = (row: SpeechCredential): DependentRecord[] => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const { data: listedDependents = [] } = useDependents(speechCredentialsOfAccount, row, undefined)
  const { data = [] } = useQuery({
    queryKey: namedQueryKey('application', 'usingSpeechCredential', row.speech_credential_sid),
    queryFn: async ({ signal }): Promise<DependentRecord[]> => {
      const source = {
        // the pages are not cached, so the source needs no key
        key: [],
        fetch: (query: object) => fetchProviderApplications(actor, service_provider_sid, query, signal),
      }
      const dependents: Application[] = []
      for await (const { rows } of fetchAllPages(source, {}, signal))
        dependents.push(...rows.filter(createServiceUsageFilter(row)))
      return dependents
        .slice(0, maxListedApplications)
        .map(({ application_sid: sid, name: title }) => ({ kind: 'application', sid, title, total: dependents.length }))
    },
    enabled: capabilities?.dependents === false,
    retry: false,
    meta: { suppressErrorToast: true },
  })
  return capabilities?.dependents ? listedDependents : data
}

/**
 * Lists the applications that use a speech service, before it is deleted. They do not prevent the deletion, but their
 * calls may need it.
 */
export const DependentApplications = ({ row }: { row: SpeechCredential }) => {
  const dependents = useDependentApplications(row)
  if (dependents.length === 0) return null
  return (
    <div className={css.dependents}>
      <p>{messages.usedByApplications}</p>
      <BoxedDependents groups={groupDependents(dependents)} />
    </div>
  )
}
