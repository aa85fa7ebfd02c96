import { applicationsOfAccount, applicationsOfProvider } from '@trunkline/contract/resources/application'
import { carriersOfProvider, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import { useState, type ReactNode } from 'react'
import { useRecordOptions, type RecordSource } from '../../../fields/record-options'
import type { EventFilter, EventListView } from '../../../kit/event-list/use-event-list'
import { useProviderSid } from '../../../session/current-provider'
import { useActor } from '../../../session/session'
import { FilterSelect } from '../../../ui/table/filter-select'
import { getReasonPhrase, noStatusLabel } from '../../../panels/calls/sip-reason'
import { useDebounced } from '../../../lib/use-debounced'

/** The usual statuses of answered and failed calls. */
const commonStatuses = [200, 403, 404, 408, 480, 486, 487, 488, 500, 503, 603]

const formatStatus = (status: string) => {
  if (status === '0') return noStatusLabel
  return `${status} ${status === '200' ? 'OK' : getReasonPhrase(Number(status))}`.trim()
}

type RecordQuery = { list: RecordSource['list']; params: RecordSource['params'] }

interface FilterProps {
  value: string
  onChange: (value: string) => void
}

const RecordFilter = ({
  name,
  inactiveLabel,
  records,
  value,
  onChange,
}: FilterProps & { name: string; inactiveLabel: string; records: RecordSource }) => {
  const [text, setText] = useState<string>()
  const searchText = useDebounced(text?.trim() ?? '', 300)
  const { options, isFetching } = useRecordOptions(
    { ...records, isIdle: text === undefined },
    value || null,
    searchText,
  )
  const currentOption = value && !options.some((option) => option.value === value) ? [{ value, label: value }] : []
  return (
    <FilterSelect
      name={name}
      value={value}
      inactiveValue=""
      loading={isFetching}
      searchable
      onSearch={setText}
      options={[{ value: '', label: inactiveLabel }, ...currentOption, ...options]}
      onChange={onChange}
    />
  )
}

/** A trunk is the carrier's name at the time of the call. */
const TrunkFilter = (props: FilterProps) => {
  const service_provider_sid = useProviderSid()
  const recordQuery: RecordQuery =
    useActor().scope === 'account'
      ? { list: voipCarrier.list, params: {} }
      : { list: carriersOfProvider.list, params: { service_provider_sid } }
  return (
    <RecordFilter
      name="Trunk"
      inactiveLabel="any"
      records={{ kind: 'voip_carrier', valueType: 'name', ...recordQuery }}
      {...props}
    />
  )
}

const ApplicationFilter = (props: FilterProps) => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const recordQuery: RecordQuery =
    actor.scope === 'account'
      ? { list: applicationsOfAccount, params: { account_sid: actor.account_sid } }
      : { list: applicationsOfProvider, params: { service_provider_sid } }
  return (
    <RecordFilter name="Application" inactiveLabel="any" records={{ kind: 'application', ...recordQuery }} {...props} />
  )
}

const SipStatusFilter = ({ value, onChange }: FilterProps) => {
  const statuses = [...commonStatuses.map(String), '0']
  return (
    <FilterSelect
      name="SIP status"
      value={value}
      inactiveValue=""
      options={[
        { value: '', label: 'any' },
        ...(value && !statuses.includes(value) ? [value, ...statuses] : statuses).map((status) => ({
          value: status,
          label: formatStatus(status),
        })),
      ]}
      onChange={onChange}
    />
  )
}

const filterComponents: Partial<Record<string, (props: FilterProps) => ReactNode>> = {
  trunk: TrunkFilter,
  application: ApplicationFilter,
  sip: SipStatusFilter,
}

export interface MoreFiltersProps {
  view: EventListView
  availableFilters: readonly EventFilter[]
}

/** Rarely used filters. Each takes space in the toolbar only after it is added, or if the URL sets it. */
export const MoreFilters = ({ view: { listState, addFilters }, availableFilters }: MoreFiltersProps) => {
  const [addedIds, setAddedIds] = useState<readonly string[]>([])
  const isShown = ({ id }: EventFilter) => addedIds.includes(id) || Boolean(listState.filters[id])
  const remainingFilters = availableFilters.filter((filter) => !isShown(filter))
  return (
    <>
      {availableFilters.filter(isShown).map(({ id }) => {
        const Filter = filterComponents[id]
        return Filter ? (
          <Filter key={id} value={listState.filters[id] ?? ''} onChange={(value) => addFilters({ [id]: value })} />
        ) : null
      })}
      {remainingFilters.length > 0 ? (
        <FilterSelect
          name="Add filter"
          value=""
          options={remainingFilters.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => setAddedIds([...addedIds, id])}
        />
      ) : null}
    </>
  )
}
