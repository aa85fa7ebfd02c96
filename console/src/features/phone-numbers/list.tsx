import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/phone-number'
import { phoneNumber } from '@trunkline/contract/resources/phone-number'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { Hash, Upload } from 'lucide-react'
import { AccountFilter } from '../../kit/list/account-filter'
import { ResourceList } from '../../kit/list/list'
import type { ListColumn } from '../../kit/list/list-column'
import { getNewRecordOwner } from '../../kit/list/list-query'
import { useAccountFilter } from '../../kit/list/list-state'
import { RecordName } from '../../kit/record/record-name'
import { PhoneNumberText } from '../../panels/phone-number'
import { paths } from '../../lib/paths'
import { formatPhoneNumber } from '../../lib/phone-number'
import { capabilitiesQuery, noCapabilities } from '../../lib/server-capabilities'
import { useProviderSid } from '../../session/current-provider'
import { useActor, useCan } from '../../session/session'
import { ButtonLink } from '../../ui/button'
import { lazyComponent } from '../../ui/feedback/lazy-component'
import { createNumberFilters } from './number-filters'
import { createNumberSource } from './number-source'
import { usePrerequisites } from './prerequisites'

const accountColumn: ListColumn<PhoneNumber> = {
  id: 'account_name',
  head: 'Account',
  minWidth: 160,
  sortable: true,
  cell: (row) => <RecordName kind="account" row={row} link />,
}

const columns: ListColumn<PhoneNumber>[] = [
  {
    id: 'application_name',
    head: 'Application',
    minWidth: 160,
    sortable: true,
    cell: (row) => <RecordName kind="application" row={row} link />,
  },
  {
    id: 'voip_carrier_name',
    head: 'Carrier',
    minWidth: 160,
    sortable: true,
    cell: (row) => <RecordName kind="voip_carrier" row={row} link />,
  },
]

/** Loaded when the first number is selected. */
const AssignApplication = lazyComponent(() => import('./assign-application').then((module) => module.AssignApplication))

/** The phone numbers of the current provider or, for account users, of their account. */
export const PhoneNumberList = () => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const accountSid = useAccountFilter()
  const { data: capabilities = noCapabilities } = useQuery(capabilitiesQuery)
  const missingPrerequisite = usePrerequisites()?.missing
  const can = useCan()
  return (
    <ResourceList
      resource={phoneNumber}
      title="Phone numbers"
      source={createNumberSource(actor, service_provider_sid)}
      textFilterParam="filter"
      searchText={(row) => `${row.number} +${row.number} ${formatPhoneNumber(row.number)}`}
      nameColumn={{
        id: 'number',
        head: 'Number',
        width: 168,
        mono: true,
        cell: (row) => <PhoneNumberText number={row.number} />,
        value: (row) => row.number,
      }}
      columns={actor.scope === 'account' ? columns : [accountColumn, ...columns]}
      loadColumns={() => import('../../panels/record-counts/count-columns').then((module) => module.phoneNumberColumns)}
      renderAccountFilter={(value, onChange) => <AccountFilter label="Account" {...{ value, onChange }} />}
      filters={createNumberFilters(actor, service_provider_sid, accountSid, capabilities)}
      listActions={() =>
        can('create', 'phone_number', getNewRecordOwner(actor, service_provider_sid)) &&
        missingPrerequisite === undefined ? (
          <ButtonLink icon={Upload} href={paths.phoneNumbers.import}>
            Import
          </ButtonLink>
        ) : null
      }
      viewPath={(row) => paths.phoneNumbers.view(row.phone_number_sid)}
      editPath={(row) => paths.phoneNumbers.edit(row.phone_number_sid)}
      add={missingPrerequisite ? undefined : { href: paths.phoneNumbers.add, label: 'Add phone number' }}
      removeOptions={{ removedMessage: (row) => messages.removed(row.number) }}
      bulkActions={(selectedRows, bulk) => <AssignApplication selectedRows={selectedRows} bulk={bulk} />}
      empty={{
        title: messages.none,
        icon: Hash,
        text: missingPrerequisite?.text ?? 'Calls to a phone number go to its application.',
        children: missingPrerequisite?.add ? (
          <ButtonLink variant="primary" href={missingPrerequisite.add.href}>
            {missingPrerequisite.add.label}
          </ButtonLink>
        ) : null,
      }}
    />
  )
}
