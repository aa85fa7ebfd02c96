import { useQuery } from '@tanstack/react-query'
import { PhoneCall, PhoneMissed, Hash, Settings, TriangleAlert, type LucideIcon } from 'lucide-react'
import { paths } from '../../lib/paths'
import { toStoredNumber } from '../../lib/phone-number'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { useNumberListPaths } from '../../panels/number-links'
import { useActor } from '../../session/session'
import type { PaletteItem } from '../../ui/shell/command-palette-view'
import type { RecordItem } from './record-search'

const callDays = '7'

type Filters = Record<string, string>

const createPath = (path: string, filters: Filters) => `${path}?${new URLSearchParams(filters).toString()}`

/** The filter of the call list that selects the calls of a record. Undefined if there is none. */
const getCallFilter = ({ kind, sid, name }: RecordItem['record'], hasCallSearch: boolean): Filters | undefined => {
  if (kind === 'account') return { account: sid }
  // not every server can filter calls by application
  if (kind === 'application') return hasCallSearch ? { application: sid } : undefined
  if (kind === 'voip_carrier') return { trunk: name }
  return kind === 'phone_number' ? { text: toStoredNumber(name) } : undefined
}

const settingsPaths: Partial<Record<string, (sid: string) => string>> = {
  account: paths.accounts.edit,
  application: paths.applications.edit,
  voip_carrier: paths.carriers.edit,
  phone_number: paths.phoneNumbers.edit,
}

/** Links to what belongs to the best match of the search: its calls, alerts, numbers and settings. */
export const useRecordLinks = (item: RecordItem | undefined): PaletteItem[] => {
  const actor = useActor()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const createCarrierPaths = useNumberListPaths('carrier')
  const createApplicationPaths = useNumberListPaths('application')
  // other records have no page, and account users see the lists of their own account only
  if (!item || (item.record.kind === 'account' && actor.scope === 'account')) return []
  const { kind, sid } = item.record
  const callFilter = getCallFilter(item.record, capabilities?.callSearch === true)
  const accountFilter = kind === 'account' ? { account: sid } : undefined
  const numbersPath = {
    account: createPath(paths.phoneNumbers.list, { account: sid }),
    application: createApplicationPaths(sid).phone_number,
    voip_carrier: createCarrierPaths(sid).phone_number,
  }[kind]
  const callsPath = callFilter && createPath(paths.recentCalls, { date: callDays, ...callFilter })
  const links: [LucideIcon, string, string | undefined][] = [
    [PhoneCall, 'Recent calls', callsPath],
    [PhoneMissed, 'Unanswered calls', callsPath && `${callsPath}&status=not-answered`],
    [TriangleAlert, 'Alerts', accountFilter && createPath(paths.alerts, { date: callDays, ...accountFilter })],
    [Hash, 'Numbers', numbersPath],
    [Settings, 'Settings', settingsPaths[kind]?.(sid)],
  ]
  return links.flatMap(([icon, label, href]) =>
    href ? [{ id: `link ${label}`, icon, label: `${label} of ${item.label}`, href }] : [],
  )
}
