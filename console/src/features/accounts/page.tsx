import { messages } from '@trunkline/contract/messages/account'
import { account } from '@trunkline/contract/resources/account'
import { client } from '@trunkline/contract/resources/client'
import { speechCredentialsOfAccount } from '@trunkline/contract/resources/speech-credential'
import { user } from '@trunkline/contract/resources/user'
import { carriersOfAccount } from '@trunkline/contract/resources/voip-carrier'
import type { Account } from '@trunkline/contract/shapes/account'
import type { ReactNode } from 'react'
import { countDependents } from '../../kit/record/dependents'
import { RecordSettings, type RecordPageOptions } from '../../kit/record/record-page'
import { useDependents } from '../../kit/record/use-dependents'
import { createAlertsPath } from '../../panels/alerts/newest-alerts-panel'
import { useRecordCount } from '../../panels/record-count'
import { getFeatureFlags } from '../../lib/feature-flags'
import { paths } from '../../lib/paths'
import { useActor } from '../../session/session'
import { CopyText } from '../../ui/copy'
import type { RecordFact, RecordTab } from '../../ui/record/record-head'
import { Status } from '../../ui/status'
import { loadAccountDependents } from './lazy-dependents'
import { PlanLabel } from './plan'
import { formatDate } from '../../lib/time'

/** The account that the lists of other kinds are filtered by; '' for account users, who see no other account. */
export const useFilterAccount = (account_sid: string): string => (useActor().scope === 'account' ? '' : account_sid)

/** Links to the lists of what belongs to the account, with the number of records in each. */
const useAccountLinks = (account_sid: string): RecordTab[] => {
  const filterAccount = useFilterAccount(account_sid)
  const { data: dependents } = useDependents(account, { account_sid }, loadAccountDependents)
  const params = { account_sid }
  const carrierCount = useRecordCount(account_sid, { kind: 'voip_carrier', list: carriersOfAccount.list, params })
  const clientCount = useRecordCount(account_sid, { kind: 'client', list: client.list, query: params })
  const userCount = useRecordCount(account_sid, { kind: 'user', list: user.list, query: params })
  const speechCount = useRecordCount(account_sid, {
    kind: 'speech_credential',
    list: speechCredentialsOfAccount.list,
    params,
    hasSharedRecords: true,
  })
  const createHref = (path: string, filters: Record<string, string> = {}) => {
    const search = new URLSearchParams({ ...filters, ...(filterAccount ? { account: filterAccount } : {}) })
    return search.size > 0 ? `${path}?${search.toString()}` : path
  }
  const countOf = (kind: string) => dependents && countDependents(dependents, kind)
  return [
    {
      id: 'numbers',
      label: 'Numbers',
      href: createHref(paths.phoneNumbers.list),
      count: countOf('phone_number'),
    },
    {
      id: 'applications',
      label: 'Applications',
      href: createHref(paths.applications.list),
      count: countOf('application'),
    },
    { id: 'carriers', label: 'Carriers', href: createHref(paths.carriers.list), count: carrierCount },
    { id: 'clients', label: 'Clients', href: createHref(paths.clients.list), count: clientCount },
    { id: 'speech', label: 'Speech', href: createHref(paths.speech.list), count: speechCount },
    ...(getFeatureFlags().hosted
      ? []
      : [{ id: 'users', label: 'Users', href: createHref(paths.users.list), count: userCount }]),
    { id: 'calls', label: 'Calls', href: createHref(paths.recentCalls, { date: '7' }) },
    { id: 'alerts', label: 'Alerts', href: createAlertsPath(filterAccount) },
  ]
}

const createFacts = (row: Account): RecordFact[] => [
  ...(getFeatureFlags().hosted ? [{ label: 'Plan', value: <PlanLabel row={row} /> }] : []),
  ...(row.sip_realm
    ? [{ label: 'Realm', value: <CopyText text={row.sip_realm} label="Copy realm" alwaysShowCopyButton /> }]
    : []),
  ...(formatDate(row.created_at) ? [{ label: 'Created', value: formatDate(row.created_at) }] : []),
]

/** What the two screens of an account have in common. */
export const useAccountPage = (sid: string): RecordPageOptions<Account> => {
  const isOwnAccount = useActor().scope === 'account'
  return {
    resource: account,
    paths: paths.accounts,
    links: useAccountLinks(sid),
    listPath: isOwnAccount ? undefined : paths.accounts.list,
    status: ({ is_active }) => <Status kind={is_active ? 'ok' : 'off'}>{is_active ? 'Active' : 'Inactive'}</Status>,
    facts: createFacts,
    // users delete their own account in its settings, where they enter the password
    removeOptions: isOwnAccount
      ? undefined
      : { removedMessage: ({ name }) => messages.removed(name), findDependents: loadAccountDependents },
  }
}

/** The frame of the form of an account. */
export const AccountSettings = ({ sid, children }: { sid: string; children: ReactNode }) => (
  <RecordSettings {...useAccountPage(sid)} sid={sid}>
    {children}
  </RecordSettings>
)
