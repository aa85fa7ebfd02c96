import { messages } from '@trunkline/contract/messages/application'
import { application } from '@trunkline/contract/resources/application'
import type { Application } from '@trunkline/contract/shapes/application'
import type { Webhook } from '@trunkline/contract/shapes/webhook'
import { AppWindow } from 'lucide-react'
import { AccountFilter } from '../../kit/list/account-filter'
import { ResourceList } from '../../kit/list/list'
import type { ListColumn } from '../../kit/list/list-column'
import { AddAccountFirst } from '../../panels/add-account-first'
import { useFirstAccounts } from '../../panels/first-accounts'
import { RecordName } from '../../kit/record/record-name'
import { paths } from '../../lib/paths'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Muted } from '../../ui/muted'
import { listApplicationDependents } from './application-dependents'
import { createApplicationSource } from './application-source'

const renderWebhookUrl = (webhook: Webhook | null) => webhook?.url ?? <Muted>None</Muted>

const accountColumn: ListColumn<Application> = {
  id: 'account_name',
  head: 'Account',
  width: '17.5%',
  minWidth: 160,
  sortable: true,
  cell: (row) => <RecordName kind="account" row={row} link />,
}

const webhookColumns: ListColumn<Application>[] = [
  {
    id: 'call_hook',
    head: 'Calling webhook',
    minWidth: 260,
    mono: true,
    cell: ({ call_hook }) => renderWebhookUrl(call_hook),
  },
  {
    id: 'call_status_hook',
    head: 'Call status webhook',
    minWidth: 260,
    mono: true,
    tableOnly: true,
    dropOrder: 1,
    cell: ({ call_status_hook }) => renderWebhookUrl(call_status_hook),
  },
]

/** The applications of the current service provider, or of the signed-in user's account. */
export const ApplicationList = () => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const needsAccount = useFirstAccounts()?.length === 0
  return (
    <ResourceList
      resource={application}
      title="Applications"
      source={createApplicationSource(actor, service_provider_sid)}
      nameColumn={{ width: '19%', minWidth: 170 }}
      columns={actor.scope === 'account' ? webhookColumns : [accountColumn, ...webhookColumns]}
      loadColumns={() => import('../../panels/record-counts/count-columns').then((module) => module.applicationColumns)}
      renderAccountFilter={(value, onChange) => <AccountFilter label="Account" {...{ value, onChange }} />}
      viewPath={({ application_sid }) => paths.applications.view(application_sid)}
      editPath={({ application_sid }) => paths.applications.edit(application_sid)}
      add={needsAccount ? undefined : { href: paths.applications.add, label: 'Add application' }}
      removeOptions={{
        removedMessage: ({ name }) => messages.removed(name),
        findDependentsAfterRefusal: (row) => listApplicationDependents(row, service_provider_sid),
      }}
      empty={{
        title: 'No applications.',
        text: needsAccount ? messages.needsAccount : 'An application connects calls to the webhooks that control them.',
        icon: AppWindow,
        children: needsAccount ? <AddAccountFirst /> : null,
      }}
    />
  )
}
