import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/client'
import { messages as realmMessages } from '@trunkline/contract/messages/sip-realm'
import { client } from '@trunkline/contract/resources/client'
import type { Client } from '@trunkline/contract/shapes/client'
import { MonitorSmartphone } from 'lucide-react'
import { AccountFilter } from '../../kit/list/account-filter'
import { ResourceList } from '../../kit/list/list'
import type { ListColumn } from '../../kit/list/list-column'
import { request } from '../../lib/client'
import { capabilitiesQuery, mayHaveLiveCalls } from '../../lib/server-capabilities'
import { useAccountFilter } from '../../kit/list/list-state'
import { RecordName } from '../../kit/record/record-name'
import { paths } from '../../lib/paths'
import { useProviderSid } from '../../session/current-provider'
import { useActor, useCan } from '../../session/session'
import { ButtonLink } from '../../ui/button'
import { ActiveStatus } from '../../ui/status'
import { registeredColumn } from './registered-column'
import { RealmHint, useOwnRealmPath, useRealm } from './realm-hint'
import { createClientSource } from './client-source'

const statusColumn: ListColumn<Client> = {
  id: 'is_active',
  head: 'Status',
  width: 120,
  sortable: true,
  cell: ({ is_active }) => <ActiveStatus isActive={is_active} />,
}

const accountColumn: ListColumn<Client> = {
  id: 'account_name',
  head: 'Account',
  sortable: true,
  cell: (row) => <RecordName kind="account" row={row} link />,
}

/** The SIP clients of the provider's accounts, or of the signed-in user's account. */
export const ClientList = () => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const accountFilter = useAccountFilter()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const accountSid = actor.scope === 'account' ? actor.account_sid : accountFilter
  const needsRealm = useRealm(accountSid || null) === null
  const ownRealmPath = useOwnRealmPath()
  const can = useCan()
  return (
    <ResourceList
      resource={client}
      title="SIP clients"
      description={accountSid ? <RealmHint account_sid={accountSid} /> : undefined}
      source={createClientSource(actor, service_provider_sid)}
      nameColumn={{ id: 'username', head: 'Username', mono: true }}
      columns={[
        statusColumn,
        ...(mayHaveLiveCalls(capabilities) ? [registeredColumn] : []),
        ...(actor.scope === 'account' ? [] : [accountColumn]),
      ]}
      renderAccountFilter={(value, onChange) => <AccountFilter label="Account" {...{ value, onChange }} />}
      editPath={(row) => paths.clients.edit(row.client_sid)}
      add={needsRealm ? undefined : { href: paths.clients.add, label: 'Add SIP client' }}
      setActive={({ client_sid }, is_active) => request(client.update, { params: { client_sid }, body: { is_active } })}
      removeOptions={{ removedMessage: (row) => messages.removed(client.title(row)) }}
      empty={{
        title: messages.none,
        icon: MonitorSmartphone,
        text: 'A SIP client is the username and password with which a phone or an app registers.',
        children:
          needsRealm && can('update', 'account', { service_provider_sid, account_sid: accountSid || null }) ? (
            <ButtonLink variant="primary" href={ownRealmPath ?? paths.accounts.edit(accountSid)}>
              {ownRealmPath ? realmMessages.change : 'Open the account'}
            </ButtonLink>
          ) : null,
      }}
    />
  )
}
