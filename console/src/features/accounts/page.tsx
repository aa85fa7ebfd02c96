import { account } from '@trunkline/contract/resources/account'
import { speechCredentialsOfAccount } from '@trunkline/contract/resources/speech-credential'
import type { Account } from '@trunkline/contract/shapes/account'
import type { ReactNode } from 'react'
import { RecordSettings, type RecordPageOptions } from '../../kit/record/record-page'
import { createAlertsPath } from '../../panels/alerts/newest-alerts-panel'
import { useRecordCount } from '../../panels/record-count'
import { getFeatureFlags } from '../../lib/feature-flags'
import { paths } from '../../lib/paths'
import { useActor } from '../../session/session'
import { CopyText } from '../../ui/copy'
import type { RecordFact, RecordTab } from '../../ui/record/record-head'
import { ActiveStatus } from '../../ui/status'
import { accountRemoval } from './account-removal'
import { useAccountRecordCounts } from './record-counts'
import { PlanLabel } from './plan'
import { formatDate } from '../../lib/time'

/** The account that the lists of other kinds are filtered by; '' for account users, who see no other account. */
export const useFilterAccount = (account_sid: string): string => (useActor().scope === 'account' ? '' : account_sid)

/** Links to the lists of what belongs to the account, with the number of records in each. */
const useAccountLinks = (account_sid: string): RecordTab[] => {
  const filterAccount = useFilterAccount(account_sid)
  const countOf = useAccountRecordCounts(account_sid)
  const speechCount = useRecordCount(account_sid, {
    kind: 'speech_credential',
    list: speechCredentialsOfAccount.list,
    params: { account_sid },
    hasSharedRecords: true,
  })
  const createHref = (path: string, filters: Record<string, string> = {}) => {
    const search = new URLSearchParams({ ...filters, ...(filterAccount ? { account: filterAccount } : {}) })
    return search.size > 0 ? `${path}?${search.toString()}` : path
  }
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
    { id: 'carriers', label: 'Carriers', href: createHref(paths.carriers.list), count: countOf('voip_carrier') },
    { id: 'clients', label: 'Clients', href: createHref(paths.clients.list), count: countOf('client') },
    { id: 'speech', label: 'Speech', href: createHref(paths.speech.list), count: speechCount },
    ...(getFeatureFlags().hosted
      ? []
      : [{ id: 'users', label: 'Users', href: createHref(paths.users.list), count: countOf('user') }]),
    { id: 'calls', label: 'Calls', href: createHref(paths.recentCalls, { date: '7' }) },
    { id: 'alerts', label: 'Alerts', href: createAlertsPath(filterAccount) },
  ]
}

const createFacts = (row: Account): RecordFact[] => [
  ...(getFeatureFlags().hosted && row.plan_type ? [{ label: 'Plan', value: <PlanLabel row={row} /> }] : []),
  ...(row.sip_realm
    ? [{ label: 'Realm', value: <CopyText text={row.sip_realm} label="Copy realm" alwaysShowCopyButton /> }]
    : []),
  ...(formatDate(row.created_at) ? [{ label: 'Created', value: formatDate(row.created_at) }] : []),
]

/** What the two screens of an account have in common. */
export const useAccountPage = (sid: string): RecordPageOptions<Account> => {
  const isOwnAccount = useActor().scope === 'account'
  const links = useAccountLinks(sid)
  return {
    resource: account,
    paths: paths.accounts,
    links: () => links,
    listPath: isOwnAccount ? undefined : paths.accounts.list,
    status: ({ is_active }) => <ActiveStatus isActive={is_active} />,
    facts: createFacts,
    // users delete their own account in its settings, where they enter the password
    removeOptions: isOwnAccount ? undefined : accountRemoval,
  }
}

/** The frame of the form of an account. */
export const AccountSettings = ({ sid, children }: { sid: string; children: ReactNode }) => (
  <RecordSettings {...useAccountPage(sid)} sid={sid}>
    {children}
  </RecordSettings>
)
