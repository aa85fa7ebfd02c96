import { user } from '@trunkline/contract/resources/user'
import type { User } from '@trunkline/contract/shapes/user'
import type { ReactNode } from 'react'
import { RecordName } from '../../kit/record/record-name'
import { RecordSettings, type RecordPageOptions } from '../../kit/record/record-page'
import { paths } from '../../lib/paths'
import { useActor } from '../../session/session'
import { ActiveStatus } from '../../ui/status'
import { scopeNames } from './scopes'
import { createUserRemoval } from './user-removal'
import { getUserScope } from './values'

/** What the two screens of a user have in common. */
export const useUserPage = (): RecordPageOptions<User> => {
  const actor = useActor()
  return {
    resource: user,
    paths: paths.users,
    listPath: paths.users.list,
    removeOptions: createUserRemoval(actor),
    status: ({ is_active }) => <ActiveStatus isActive={is_active} />,
    facts: (row) => [
      { label: 'Scope', value: scopeNames[getUserScope(row)] },
      ...(row.account_sid && actor.scope !== 'account'
        ? [{ label: 'Account', value: <RecordName kind="account" row={row} link /> }]
        : []),
    ],
  }
}

/** The frame of the form of a user. */
export const UserSettings = ({ sid, children }: { sid: string; children: ReactNode }) => (
  <RecordSettings {...useUserPage()} sid={sid}>
    {children}
  </RecordSettings>
)
