import { PhoneCall } from 'lucide-react'
import { paths } from '../../lib/paths'
import { fewestDigits } from '../../lib/phone'
import type { PaletteItem } from '../../ui/command-palette-view'
import { byNumber, uuid } from './records'

/**
 * The list of calls with a number or with an SID, of as many days as it offers. Other texts, as a SIP Call-ID or a trunk, are
 * searched by servers that can (`anyText`).
 */
export const callSearch = (query: string, anyText = false): PaletteItem[] => {
  const text = query.trim()
  const number = byNumber(text)?.filter
  const other = anyText ? text : undefined
  const wanted = uuid.test(text) ? text.toLowerCase() : (number ?? other)
  if (!wanted || wanted.length < fewestDigits) return []
  const href = `${paths.recentCalls}?${new URLSearchParams({ date: '30', text: wanted }).toString()}`
  return [{ id: 'calls', icon: PhoneCall, label: `Search calls for ${wanted}`, href, kind: 'Action' }]
}
