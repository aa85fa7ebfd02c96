import { useState, type ReactNode } from 'react'
import { createApplicationOptionSource, createCarrierOptionSource } from '../../../fields/option-sources'
import type { EventFilter, EventListView } from '../../../kit/event-list/use-event-list'
import { RecordFilter } from '../../../kit/list/record-filter'
import { useProviderSid } from '../../../session/current-provider'
import { useActor } from '../../../session/session'
import { FilterSelect } from '../../../ui/table/filter-select'
import { getReasonPhrase, noStatusLabel } from '../../../panels/calls/sip-reason'

/** The usual statuses of answered and failed calls. */
const commonStatuses = [200, 403, 404, 408, 480, 486, 487, 488, 500, 503, 603]

const formatStatus = (status: string) => {
  if (status === '0') return noStatusLabel
  return `${status} ${status === '200' ? 'OK' : getReasonPhrase(Number(status))}`.trim()
}

interface FilterProps {
  value: string
  onChange: (value: string) => void
}

const anyOption = [{ value: '', label: 'any' }]

/** A trunk is the carrier's name at the time of the call. */
const TrunkFilter = (props: FilterProps) => {
  const carriers = createCarrierOptionSource(useActor(), useProviderSid())
  return <RecordFilter label="Trunk" source={{ ...carriers, valueType: 'name' }} fixedOptions={anyOption} {...props} />
}

const ApplicationFilter = (props: FilterProps) => {
  const applications = createApplicationOptionSource(useActor(), useProviderSid())
  return <RecordFilter label="Application" source={applications} fixedOptions={anyOption} {...props} />
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

/** Opens the list of a filter: who adds a filter wants to choose its value. */
const openList = (filter: HTMLElement | null) => filter?.querySelector<HTMLElement>('[role=combobox]')?.click()

/** Rarely used filters. Each takes space in the toolbar only after it is added, or if the URL sets it. */
export const MoreFilters = ({ view: { listState, addFilters }, availableFilters }: MoreFiltersProps) => {
  const [addedIds, setAddedIds] = useState<readonly string[]>([])
  const lastAddedId = addedIds.at(-1)
  const isShown = ({ id }: EventFilter) => addedIds.includes(id) || Boolean(listState.filters[id])
  const remainingFilters = availableFilters.filter((filter) => !isShown(filter))
  return (
    <>
      {availableFilters.filter(isShown).map(({ id }) => {
        const Filter = filterComponents[id]
        return Filter ? (
          <span key={id} ref={id === lastAddedId ? openList : undefined} style={{ display: 'contents' }}>
            <Filter value={listState.filters[id] ?? ''} onChange={(value) => addFilters({ [id]: value })} />
          </span>
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
