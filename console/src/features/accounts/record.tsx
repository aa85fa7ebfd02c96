import { useQuery } from '@tanstack/react-query'
import { messages as applicationMessages } from '@trunkline/contract/messages/application'
import { account } from '@trunkline/contract/resources/account'
import { phoneNumber } from '@trunkline/contract/resources/phone-number'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { useReadOrRedirect } from '../../kit/form/use-read-or-redirect'
import { QueryPanel } from '../../kit/record/query-panel'
import { RecordName } from '../../kit/record/record-name'
import { RecordOverview } from '../../kit/record/record-page'
import { UsedByPanel } from '../../kit/record/used-by-panel'
import { NewestAlertsPanel } from '../../panels/alerts/newest-alerts-panel'
import type { RecordCalls } from '../../panels/calls/record-calls'
import { RecentCallsPanel } from '../../panels/calls/recent-calls-panel'
import { WeekPanel } from '../../panels/calls/week-panel'
import { PhoneNumberText } from '../../panels/phone-number'
import { paths } from '../../lib/paths'
import { namedQueryKey } from '../../lib/query-keys'
import { filterCompleteList, requestList } from '../../lib/request-list'
import { Link } from '../../ui/link'
import { PanelList, PanelRow } from '../../ui/record/panel-list'
import { createAccountListPaths } from './account-removal'
import { loadAccountDependents } from './lazy-dependents'
import { NowPanel } from './now-panel'
import { useAccountPage, useFilterAccount } from './page'
import css from './record.module.css'

const maxNumbers = 5

/** The first phone numbers of an account. */
const useFirstNumbers = (account_sid: string) =>
  useQuery({
    queryKey: namedQueryKey('phone_number', 'first', account_sid),
    queryFn: async ({ signal }) => {
      const query = { account_sid, page: 1, page_size: maxNumbers }
      const page = await requestList(phoneNumber.list, { query, signal, isBackground: true })
      return filterCompleteList(page, (row) => row.account_sid === account_sid)
    },
    meta: { suppressErrorToast: true },
  })

const NumberRow = ({ row }: { row: PhoneNumber }) => (
  <PanelRow>
    <a className={css.number} href={paths.phoneNumbers.view(row.phone_number_sid)}>
      <PhoneNumberText number={row.number} />
    </a>
    <span className={css.application}>
      <RecordName kind="application" row={row} link />
    </span>
  </PanelRow>
)

/** The first phone numbers of an account, with their applications. */
const NumbersPanel = ({ account_sid, filterAccount }: { account_sid: string; filterAccount: string }) => (
  <QueryPanel
    title="Numbers"
    span={5}
    query={useFirstNumbers(account_sid)}
    skeleton={{ rows: maxNumbers }}
    isEmpty={({ rows }) => rows.length === 0}
    count={({ rows, total }) => total ?? rows.length}
    end={
      <Link href={filterAccount ? `${paths.phoneNumbers.list}?account=${filterAccount}` : paths.phoneNumbers.list}>
        All numbers
      </Link>
    }
  >
    {({ rows }) => (
      <PanelList columns="auto minmax(0, 1fr)">
        {rows.slice(0, maxNumbers).map((row) => (
          <NumberRow key={row.phone_number_sid} row={row} />
        ))}
      </PanelList>
    )}
  </QueryPanel>
)

/** The page of an account. */
export const AccountRecord = ({ sid = '' }: { sid?: string }) => {
  const filterAccount = useFilterAccount(sid)
  const calls: RecordCalls = { scope: ['account', sid], account: filterAccount, filters: {}, search: {} }
  return (
    <RecordOverview {...useAccountPage(sid)} sid={sid} read={useReadOrRedirect(account, applicationMessages.noAccess)}>
      {(row) => (
        <>
          <WeekPanel calls={calls} />
          <NowPanel account_sid={sid} row={row} filterAccount={filterAccount} />
          <NewestAlertsPanel account_sid={sid} account={filterAccount} />
          <RecentCallsPanel calls={calls} />
          <NumbersPanel account_sid={sid} filterAccount={filterAccount} />
          <UsedByPanel
            title="Also in this account"
            span={7}
            resource={account}
            row={{ account_sid: sid }}
            findDependents={loadAccountDependents}
            shows={({ kind }) => kind !== 'phone_number'}
            listPaths={createAccountListPaths(filterAccount)}
          />
        </>
      )}
    </RecordOverview>
  )
}
