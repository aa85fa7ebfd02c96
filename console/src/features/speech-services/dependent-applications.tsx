import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/speech-credential'
import type { Application } from '@trunkline/contract/shapes/application'
import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import { usesCredential } from '@trunkline/contract/speech/selection'
import { fetchAllPages } from '../../kit/list/all-pages'
import { fetchProviderApplications } from '../../panels/provider-applications'
import { groupDependents, type DependentRecord } from '../../kit/record/dependents'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Dependents } from '../../ui/dialog/dependents'
import css from './dependent-applications.module.css'

/** The maximum number of applications to list. */
const maxListed = 20

const usesService = (row: SpeechCredential) => (application: Application) =>
  (row.account_sid === null || application.account_sid === row.account_sid) && usesCredential(application, row)

/** The applications that use a speech service. Servers cannot filter by it, so this goes through all applications. */
const useDependentApplications = (row: SpeechCredential): DependentRecord[] => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const { data = [] } = useQuery({
    queryKey: ['application', 'choose', row.speech_credential_sid],
    queryFn: async ({ signal }): Promise<DependentRecord[]> => {
      const source = {
        key: [],
        fetch: (query: object) => fetchProviderApplications(actor, service_provider_sid, query, signal),
      }
      const dependents: Application[] = []
      for await (const { rows } of fetchAllPages(source, {}, signal)) dependents.push(...rows.filter(usesService(row)))
      return dependents
        .slice(0, maxListed)
        .map(({ application_sid: sid, name: title }) => ({ kind: 'application', sid, title, among: dependents.length }))
    },
    retry: false,
    meta: { suppressErrorToast: true },
  })
  return data
}

/**
 * Lists the applications that use a speech service, before it is deleted. They do not prevent the deletion, but their
 * calls may need it.
 */
export const DependentApplications = ({ row }: { row: SpeechCredential }) => {
  const dependents = useDependentApplications(row)
  if (dependents.length === 0) return null
  return (
    <div className={css.uses}>
      <p>{messages.usedByApplications}</p>
      <Dependents groups={groupDependents(dependents)} />
    </div>
  )
}
