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
const named = 20

const isMeant = (row: SpeechCredential) => (each: Application) =>
  (row.account_sid === null || each.account_sid === row.account_sid) && usesCredential(each, row)

/** The applications that use a speech service. Servers cannot filter by it, so this goes through all applications. */
const useChosenBy = (row: SpeechCredential): DependentRecord[] => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const { data = [] } = useQuery({
    queryKey: ['application', 'choose', row.speech_credential_sid],
    queryFn: async ({ signal }): Promise<DependentRecord[]> => {
      const source = {
        key: [],
        fetch: (query: object) => fetchProviderApplications(actor, service_provider_sid, query, signal),
      }
      const found: Application[] = []
      for await (const { rows } of fetchAllPages(source, {}, signal)) found.push(...rows.filter(isMeant(row)))
      return found
        .slice(0, named)
        .map(({ application_sid: sid, name: title }) => ({ kind: 'application', sid, title, among: found.length }))
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
export const ChosenBy = ({ row }: { row: SpeechCredential }) => {
  const uses = useChosenBy(row)
  if (uses.length === 0) return null
  return (
    <div className={css.uses}>
      <p>{messages.usedByApplications}</p>
      <Dependents groups={groupDependents(uses)} />
    </div>
  )
}
