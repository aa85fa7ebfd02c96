import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import type { ServerCapabilities } from '@trunkline/contract/shapes/session'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { RecordSource } from '../../fields/record-options'
import { createApplicationOptionSource, createCarrierOptionSource } from '../../fields/option-sources'
import type { ListFilter } from '../../kit/list/list-filters'
import { RecordFilter } from '../../kit/list/record-filter'

const allOption = [{ value: '', label: 'all' }]

const createRecordSelect = (name: string, source: RecordSource): Pick<ListFilter<PhoneNumber>, 'name' | 'render'> => ({
  name,
  render: (value, onChange) => (
    <RecordFilter label={name} source={source} fixedOptions={allOption} {...{ value, onChange }} />
  ),
})

/** Creates the filters of the list of phone numbers. `accountSid`: offers only the applications of this account. */
export const createNumberFilters = (
  actor: Actor,
  service_provider_sid: string,
  accountSid: string,
  { numberFilters }: ServerCapabilities,
): ListFilter<PhoneNumber>[] => {
  const applications = createApplicationOptionSource(actor, service_provider_sid, accountSid)
  const carriers = createCarrierOptionSource(actor, service_provider_sid)
  return [
    {
      id: 'application',
      // not 'Application': the selection bar has a select with this name
      ...createRecordSelect('Answered by', applications),
      match: ({ application_sid }, value) => application_sid === value,
      ...(numberFilters ? { query: (application_sid: string) => ({ application_sid }) } : {}),
    },
    {
      id: 'carrier',
      ...createRecordSelect('Carrier', carriers),
      match: ({ voip_carrier_sid }, value) => voip_carrier_sid === value,
      ...(numberFilters ? { query: (voip_carrier_sid: string) => ({ voip_carrier_sid }) } : {}),
    },
  ]
}
