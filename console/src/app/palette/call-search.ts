import { PhoneCall, Waypoints } from 'lucide-react'
import { isCallId } from '../../lib/call-id'
import { paths } from '../../lib/paths'
import { minSearchDigits } from '../../lib/phone-number'
import type { PaletteItem } from '../../ui/shell/command-palette-view'
import { toNumberQuery, uuidPattern } from './record-search'

/**
 * An action that opens the calls of the last 30 days with a number or a SID. `anyText`: the server also searches other
 * text, such as a SIP Call-ID or a trunk.
 */
export const createCallSearchItems = (query: string, anyText = false): PaletteItem[] => {
  const text = query.trim()
  const number = toNumberQuery(text)?.filter
  const other = anyText ? text : undefined
  const wanted = uuidPattern.test(text) ? text.toLowerCase() : (number ?? other)
  if (!wanted || wanted.length < minSearchDigits) return []
  const href = `${paths.recentCalls}?${new URLSearchParams({ date: '30', text: wanted }).toString()}`
  return [{ id: 'calls', icon: PhoneCall, label: `Search calls for ${wanted}`, href, kind: 'Action' }]
}

/**
 * Actions for captured SIP: the call flow of a Call-ID, even of one without a call record, and, if the user can list
 * captures, the dialogs with a number.
 */
export const createCaptureSearchItems = (query: string, canList: boolean): PaletteItem[] => {
  const text = query.trim()
  const number = toNumberQuery(text)?.filter
  const item = (id: string, label: string, search: Record<string, string>) => ({
    id,
    icon: Waypoints,
    label,
    href: `${paths.captures}?${new URLSearchParams(search).toString()}`,
    kind: 'Action',
  })
  return [
    ...(isCallId(text) ? [item('call flow', `Open call flow of ${text}`, { call_id: text })] : []),
    ...(canList && number && number.length >= minSearchDigits
      ? [item('captures', `Search captured SIP for ${number}`, { text: number })]
      : []),
  ]
}
