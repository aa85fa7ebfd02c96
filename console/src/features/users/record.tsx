import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/general'
import { user } from '@trunkline/contract/resources/user'
import type { User, UserRecord } from '@trunkline/contract/shapes/user'
import { useReadOrRedirect } from '../../kit/form/use-read-or-redirect'
import { QueryPanel } from '../../kit/record/query-panel'
import { RecordOverview } from '../../kit/record/record-page'
import { paths } from '../../lib/paths'
import { namedQueryKey } from '../../lib/query-keys'
import { toReadableRow } from '../../lib/readable-row'
import { filterCompleteList, requestList } from '../../lib/request-list'
import { useActor } from '../../session/session'
import { Link } from '../../ui/link'
import { Muted } from '../../ui/muted'
import { FactList } from '../../ui/record/fact-list'
import { Panel, PanelSkeleton } from '../../ui/record/panel'
import { PanelList, PanelRow } from '../../ui/record/panel-list'
import type { RecordFact } from '../../ui/record/record-head'
import { ActiveStatus } from '../../ui/status'
import { useUserPage } from './page'

/** The row of a list has fewer columns than the record. */
type ViewedUser = User & Partial<UserRecord>

const listSignInFacts = ({
  name,
  email,
  force_change,
  pending_email,
  provider,
  is_view_only,
}: ViewedUser): RecordFact[] => [
  { label: 'Username', value: name },
  { label: 'Email', value: email || <Muted>None</Muted> },
  ...(pending_email ? [{ label: 'Not confirmed yet', value: pending_email }] : []),
  ...(provider && provider !== 'local' ? [{ label: 'Signs in with', value: provider }] : []),
  { label: 'Password change', value: force_change ? 'At next login' : 'Not due' },
  ...(is_view_only ? [{ label: 'Permissions', value: 'View only' }] : []),
]

const maxUsers = 5

/** The first users of an account. */
const useFirstUsers = (account_sid: string) =>
  useQuery({
    queryKey: namedQueryKey('user', 'first', account_sid),
    queryFn: async ({ signal }) => {
      // one more, because this user is among them
      const query = { account_sid, page: 1, page_size: maxUsers + 1 }
      const page = await requestList(user.list, { query, signal, isBackground: true })
      return filterCompleteList(page, (row) => row.account_sid === account_sid)
    },
    meta: { suppressErrorToast: true },
  })

/** The other users of the same account. */
const OtherUsersPanel = ({ account_sid, user_sid }: { account_sid: string; user_sid: string }) => {
  const isAccountUser = useActor().scope === 'account'
  const findOthers = (rows: readonly User[]) => rows.filter((row) => row.user_sid !== user_sid)
  return (
    <QueryPanel
      title="Other users of this account"
      span={6}
      query={useFirstUsers(account_sid)}
      skeleton={{ rows: 2 }}
      isEmpty={({ rows }) => findOthers(rows).length === 0}
      count={({ rows, total }) => (total ?? rows.length) - 1}
      end={
        <Link href={isAccountUser ? paths.users.list : `${paths.users.list}?account=${account_sid}`}>All users</Link>
      }
    >
      {({ rows }) => (
        <PanelList columns="minmax(0, 1fr) auto">
          {findOthers(rows)
            .slice(0, maxUsers)
            .map((row) => (
              <PanelRow key={row.user_sid}>
                <a href={paths.users.view(row.user_sid)}>{row.name}</a>
                <ActiveStatus isActive={row.is_active} />
              </PanelRow>
            ))}
        </PanelList>
      )}
    </QueryPanel>
  )
}

/** The page of a user. */
export const UserRecordPage = ({ sid = '' }: { sid?: string }) => (
  <RecordOverview<User> {...useUserPage()} sid={sid} read={useReadOrRedirect(user, messages.noAccess)}>
    {(row) => (
      <>
        <Panel title="Sign-in" span={6}>
          {row ? <FactList facts={listSignInFacts(toReadableRow(row))} /> : <PanelSkeleton rows={3} />}
        </Panel>
        {row?.account_sid ? <OtherUsersPanel account_sid={row.account_sid} user_sid={sid} /> : null}
      </>
    )}
  </RecordOverview>
)
