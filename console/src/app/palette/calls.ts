import { PhoneCall } from 'lucide-react'
import { paths } from '../../lib/paths'
import { fewestDigits } from '../../lib/phone'
import type { PaletteItem } from '../../ui/command-palette-view'
import { byNumber, uuid } from './records'

/** The list of calls with a number or with an SID, of as many days as it offers; nothing for other texts. */
export const callSearch = (query: string): PaletteItem[] => {
  const text = query.trim()
  const number = byNumber(text)?.filter
  const wanted = uuid.test(text) ? text.toLowerCase() : number
  if (!wanted || wanted.length < fewestDigits) return []
  const href = `${paths.recentCalls}?${new URLSearchParams({ date: '30', text: wanted }).toString()}`
  return [{ id: 'calls', icon: PhoneCall, label: `Search calls for ${wanted}`, href, kind: 'Action' }]
}
