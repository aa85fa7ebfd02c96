import { user } from '@trunkline/contract/resources/user'
import type { User } from '@trunkline/contract/shapes/user'
import type { Actor } from '@trunkline/contract/policy/actor'
import { Users } from 'lucide-react'
import { AccountFilter } from '../../kit/list/account-filter'
import { ResourceList, type ListFilter } from '../../kit/list/list'
import type { ListColumn } from '../../kit/list/list-column'
import { RecordName } from '../../kit/record/record-name'
import { request } from '../../lib/client'
import { paths } from '../../lib/paths'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Muted } from '../../ui/muted'
import { ActiveStatus } from '../../ui/status'
import { createUserRemoval } from './user-removal'
import { createUserSource } from './user-source'
import { getScopeName, listAssignableScopes, scopeNames } from './scopes'

const OwnerCell = ({ row }: { row: User }) => {
  if (row.account_sid) return <RecordName kind="account" row={row} link />
  return row.scope === 'admin' ? <Muted>All service providers</Muted> : (row.service_provider_name ?? '')
}

const ownerColumn: ListColumn<User> = {
  id: 'account_name',
  head: 'Account or provider',
  sortable: true,
  value: ({ account_name, service_provider_name }) => account_name ?? service_provider_name ?? '',
  cell: (row) => <OwnerCell row={row} />,
}

const emailColumn: ListColumn<User> = {
  id: 'email',
  head: 'Email',
  sortable: true,
  cell: (row) => row.email || <Muted>None</Muted>,
}

const statusColumn: ListColumn<User> = {
  id: 'is_active',
  head: 'Status',
  width: 104,
  sortable: true,
  cell: ({ is_active }) => <ActiveStatus isActive={is_active} />,
}

const passwordChangeColumn: ListColumn<User> = {
  id: 'force_change',
  head: 'Password change',
  width: 136,
  sortable: true,
  tableOnly: true,
  cell: ({ force_change }) => (force_change ? 'At next login' : <Muted>Not due</Muted>),
}

const scopeColumn: ListColumn<User> = {
  id: 'scope',
  head: 'Scope',
  width: 132,
  sortable: true,
  cell: (row) => getScopeName(row.scope),
}

/** Account users see users of their account only, so there is no scope filter. */
const createScopeFilter = (actor: Actor): ListFilter<User> => ({
  id: 'scope',
  name: 'Scope',
  allLabel: actor.scope === 'account' ? scopeNames.account : 'All scopes',
  options: actor.scope === 'account' ? [] : listAssignableScopes(actor),
  match: (row, value) => row.scope === value,
  query: (value) => ({ scope: value }),
})

/** The users of the current service provider, or of the signed-in user's account. */
export const UserList = () => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  return (
    <ResourceList
      resource={user}
      title="Users"
      source={createUserSource(actor, service_provider_sid)}
      columns={[
        statusColumn,
        emailColumn,
        scopeColumn,
        ...(actor.scope === 'account' ? [] : [ownerColumn]),
        passwordChangeColumn,
      ]}
      searchText={({ name, email }) => `${name}\n${email}`}
      renderAccountFilter={(value, onChange) => <AccountFilter label="Account" {...{ value, onChange }} />}
      filters={[createScopeFilter(actor)]}
      viewPath={({ user_sid }) => paths.users.view(user_sid)}
      editPath={({ user_sid }) => paths.users.edit(user_sid)}
      add={{ href: paths.users.add, label: 'Add user' }}
      // v1 servers ignore a body with only this field
      setActive={({ user_sid, name }, is_active) =>
        request(user.update, { params: { user_sid }, body: { name, is_active } })
      }
      removeOptions={createUserRemoval(actor)}
      empty={{
        title: 'No users.',
        text: 'A user manages the whole platform, one service provider or one account.',
        icon: Users,
      }}
    />
  )
}
