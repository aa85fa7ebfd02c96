import { messages } from '@trunkline/contract/messages/ms-teams-tenant'
import { msTeamsTenant } from '@trunkline/contract/resources/ms-teams-tenant'
import type { MsTeamsTenant } from '@trunkline/contract/shapes/ms-teams-tenant'
import { MessagesSquare } from 'lucide-react'
import { AddAccountFirst } from '../../panels/add-account-first'
import { useFirstAccounts } from '../../panels/first-accounts'
import { AccountFilter } from '../../kit/list/account-filter'
import { ResourceList } from '../../kit/list/list'
import type { ListColumn } from '../../kit/list/list-column'
import { RecordName } from '../../kit/record/record-name'
import { paths } from '../../lib/paths'
import { useCurrentProvider } from '../../session/current-provider'
import { useActor, useCan } from '../../session/session'
import { ButtonLink } from '../../ui/button'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ScreenLayout } from '../../ui/shell/screen-layout'
import { createTenantSource } from './tenant-source'

const accountColumn: ListColumn<MsTeamsTenant> = {
  id: 'account_name',
  head: 'Account',
  sortable: true,
  cell: (row) => <RecordName kind="account" row={row} link />,
}

const applicationColumn: ListColumn<MsTeamsTenant> = {
  id: 'application_name',
  head: 'Application',
  sortable: true,
  cell: (row) => <RecordName kind="application" row={row} link />,
}

const title = 'Microsoft Teams tenants'

/** The Microsoft Teams tenants of the provider's accounts. */
export const MsTeamsTenantList = () => {
  const actor = useActor()
  const can = useCan()
  const { current } = useCurrentProvider()
  const accounts = useFirstAccounts()
  if (!current) return <ScreenLayout title={title} />
  if (!current.ms_teams_fqdn)
    return (
      <ScreenLayout title={title}>
        <EmptyState icon={MessagesSquare} title={messages.noDomain(current.name)}>
          {can('update', 'service_provider', { ...current, account_sid: null }) ? (
            <ButtonLink variant="primary" href={`${paths.settings}?tab=provider`}>
              Settings
            </ButtonLink>
          ) : null}
        </EmptyState>
      </ScreenLayout>
    )
  const needsAccount = accounts?.length === 0
  return (
    <ResourceList
      resource={msTeamsTenant}
      title={title}
      source={createTenantSource(actor, current.service_provider_sid)}
      nameColumn={{ id: 'tenant_fqdn', head: 'Domain name', mono: true }}
      columns={actor.scope === 'account' ? [applicationColumn] : [accountColumn, applicationColumn]}
      renderAccountFilter={(value, onChange) => <AccountFilter label="Account" {...{ value, onChange }} />}
      editPath={(row) => paths.msTeamsTenants.edit(row.ms_teams_tenant_sid)}
      add={needsAccount ? undefined : { href: paths.msTeamsTenants.add, label: 'Add Microsoft Teams tenant' }}
      removeOptions={{
        removedMessage: (row) => messages.removed(row.tenant_fqdn),
        question: (row) => messages.confirmRemoval(row.tenant_fqdn),
      }}
      empty={{
        title: needsAccount ? messages.needsAccount : messages.none,
        icon: MessagesSquare,
        text: needsAccount ? undefined : "A tenant maps a customer's Microsoft Teams domain to an account.",
        children: needsAccount ? <AddAccountFirst /> : null,
      }}
    />
  )
}
