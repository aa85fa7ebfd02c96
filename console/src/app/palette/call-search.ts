import { PhoneCall, Waypoints } from 'lucide-react'
import { isCallId } from '../../lib/call-id'
import { paths } from '../../lib/paths'
import { minSearchDigits } from '../../lib/number-search'
import type { PaletteItem } from '../../ui/shell/command-palette-view'
import { toNumberQuery, uuidPattern } from './record-search'

/**
 * An action that opens the calls of the last 30 days with a number or a SID. `searchesAnyText`: the server also searches other
 * text, such as a SIP Call-ID or a trunk.
 */
export const createCallSearchItems = (query: string, searchesAnyText = false): PaletteItem[] => {
  const text = query.trim()
  const number = toNumberQuery(text)?.filter
  const otherText = searchesAnyText ? text : undefined
  const searchText = uuidPattern.test(text) ? text.toLowerCase() : (number ?? otherText)
  if (!searchText || searchText.length < minSearchDigits) return []
  const href = `${paths.recentCalls}?${new URLSearchParams({ date: '30', text: searchText }).toString()}`
  return [{ id: 'calls', icon: PhoneCall, label: `Search calls for ${searchText}`, href }]
}

/**
 * Actions for captured SIP: the call flow of a Call-ID, even of one without a call record, and, if the user can list
 * captures, the dialogs with a number.
 */
export const createCaptureSearchItems = (query: string, canList: boolean): PaletteItem[] => {
  const text = query.trim()
  const number = toNumberQuery(text)?.filter
  const createItem = (id: string, label: string, search: Record<string, string>) => ({
    id,
    icon: Waypoints,
    label,
    href: `${paths.captures}?${new URLSearchParams(search).toString()}`,
  })
  return [
    ...(isCallId(text) ? [createItem('call flow', `Open call flow of ${text}`, { call_id: text })] : []),
    ...(canList && number && number.length >= minSearchDigits
      ? [createItem('captures', `Search captured SIP for ${number}`, { text: number })]
      : []),
  ]
}
