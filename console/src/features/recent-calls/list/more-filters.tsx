import { applicationsOfAccount, applicationsOfProvider } from '@trunkline/contract/resources/application'
import { carriersOfProvider, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import { useState, type ReactNode } from 'react'
import { useRecordOptions, type RecordSource } from '../../../fields/record-options'
import type { TimedFilter, TimedView } from '../../../kit/timed-list/use-timed-list'
import { useProviderSid } from '../../../session/current-provider'
import { useActor } from '../../../session/session'
import { FilterSelect } from '../../../ui/table/filter-select'
import { sipReason, unsaid } from '../detail/sip-reason'
import { useDebounced } from '../../../lib/use-debounced'

/** The usual statuses of answered and failed calls. */
const usualStatuses = [200, 403, 404, 408, 480, 486, 487, 488, 500, 503, 603]

const statusText = (status: string) => {
  if (status === '0') return unsaid
  return `${status} ${status === '200' ? 'OK' : sipReason(Number(status))}`.trim()
}

type Where = { list: RecordSource['list']; params: RecordSource['params'] }

interface ChoiceProps {
  value: string
  onChange: (value: string) => void
}

const RecordPick = ({
  name,
  rest,
  records,
  value,
  onChange,
}: ChoiceProps & { name: string; rest: string; records: RecordSource }) => {
  const [text, setText] = useState<string>()
  const searched = useDebounced(text?.trim() ?? '', 300)
  const { options, isFetching } = useRecordOptions({ ...records, idle: text === undefined }, value || null, searched)
  const known = value && !options.some((option) => option.value === value) ? [{ value, label: value }] : []
  return (
    <FilterSelect
      name={name}
      value={value}
      inactiveValue=""
      loading={isFetching}
      searchable
      onSearch={setText}
      options={[{ value: '', label: rest }, ...known, ...options]}
      onChange={onChange}
    />
  )
}

/** A trunk is the carrier's name at the time of the call. */
const TrunkPick = (props: ChoiceProps) => {
  const service_provider_sid = useProviderSid()
  const where: Where =
    useActor().scope === 'account'
      ? { list: voipCarrier.list, params: {} }
      : { list: carriersOfProvider.list, params: { service_provider_sid } }
  return <RecordPick name="Trunk" rest="any" records={{ kind: 'voip_carrier', keeps: 'name', ...where }} {...props} />
}

const ApplicationPick = (props: ChoiceProps) => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const where: Where =
    actor.scope === 'account'
      ? { list: applicationsOfAccount, params: { account_sid: actor.account_sid } }
      : { list: applicationsOfProvider, params: { service_provider_sid } }
  return <RecordPick name="Application" rest="any" records={{ kind: 'application', ...where }} {...props} />
}

const StatusPick = ({ value, onChange }: ChoiceProps) => {
  const statuses = [...usualStatuses.map(String), '0']
  return (
    <FilterSelect
      name="SIP status"
      value={value}
      inactiveValue=""
      options={[
        { value: '', label: 'any' },
        ...(value && !statuses.includes(value) ? [value, ...statuses] : statuses).map((status) => ({
          value: status,
          label: statusText(status),
        })),
      ]}
      onChange={onChange}
    />
  )
}

const choices: Partial<Record<string, (props: ChoiceProps) => ReactNode>> = {
  trunk: TrunkPick,
  application: ApplicationPick,
  sip: StatusPick,
}

export interface MoreFiltersProps {
  view: TimedView
  offered: readonly TimedFilter[]
}

/** Rarely used filters. Each takes space in the toolbar only after it is added, or if the URL sets it. */
export const MoreFilters = ({ view: { listState, addFilters }, offered }: MoreFiltersProps) => {
  const [added, setAdded] = useState<readonly string[]>([])
  const isShown = ({ id }: TimedFilter) => added.includes(id) || Boolean(listState.filters[id])
  const left = offered.filter((pick) => !isShown(pick))
  return (
    <>
      {offered.filter(isShown).map(({ id }) => {
        const Choice = choices[id]
        return Choice ? (
          <Choice key={id} value={listState.filters[id] ?? ''} onChange={(value) => addFilters({ [id]: value })} />
        ) : null
      })}
      {left.length > 0 ? (
        <FilterSelect
          name="Add filter"
          value=""
          options={left.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => setAdded([...added, id])}
        />
      ) : null}
    </>
  )
}
