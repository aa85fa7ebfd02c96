import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/application'
import { application } from '@trunkline/contract/resources/application'
import type { Application } from '@trunkline/contract/shapes/application'
import type { ReactNode } from 'react'
import { RecordName } from '../../kit/record/record-name'
import { RecordSettings, type RecordPageOptions } from '../../kit/record/record-page'
import { useLoadedDependentCount } from '../../kit/record/use-dependents'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { paths } from '../../lib/paths'
import { formatDate } from '../../lib/time'
import { useNumberListPaths } from '../../panels/number-links'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { listApplicationDependents } from './application-dependents'

/** The path of the calls of an application in the last seven days. */
const createCallsPath = (application_sid: string) =>
  `${paths.recentCalls}?${new URLSearchParams({ date: '7', application: application_sid }).toString()}`

/** Finds the records that use an application. */
export const useFindApplicationDependents = () => {
  const service_provider_sid = useProviderSid()
  return (row: Application) => listApplicationDependents(row, service_provider_sid)
}

/** What the two screens of an application have in common. */
export const useApplicationPage = (sid: string): RecordPageOptions<Application> => {
  const isAccountUser = useActor().scope === 'account'
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const createNumberListPaths = useNumberListPaths('application')
  const { phone_number: numbersPath } = createNumberListPaths(sid)
  const numberCount = useLoadedDependentCount('application', sid, 'phone_number')
  return {
    resource: application,
    paths: paths.applications,
    listPath: paths.applications.list,
    canDuplicate: true,
    // not every server can filter by application
    links: () => [
      ...(numbersPath ? [{ id: 'numbers', label: 'Numbers', href: numbersPath, count: numberCount }] : []),
      ...(capabilities?.callSearch ? [{ id: 'calls', label: 'Calls', href: createCallsPath(sid) }] : []),
    ],
    removeOptions: {
      removedMessage: ({ name }) => messages.removed(name),
      findDependents: useFindApplicationDependents(),
      createListPaths: ({ application_sid }) => createNumberListPaths(application_sid),
    },
    facts: (row) => [
      ...(isAccountUser ? [] : [{ label: 'Account', value: <RecordName kind="account" row={row} link /> }]),
      ...(row.record_all_calls ? [{ label: 'Recording', value: 'All calls' }] : []),
      ...(formatDate(row.created_at) ? [{ label: 'Created', value: formatDate(row.created_at) }] : []),
    ],
  }
}

/** The frame of the form of an application. */
export const ApplicationSettings = ({ sid, children }: { sid: string; children: ReactNode }) => (
  <RecordSettings {...useApplicationPage(sid)} sid={sid}>
    {children}
  </RecordSettings>
)
