import { useQuery } from '@tanstack/react-query'
import { capabilitiesQuery } from '../lib/server-capabilities'
import { paths } from '../lib/paths'
import { Box } from '../ui/box'
import { Link } from '../ui/link'

export interface RelatedCallsProps {
  /** The filter of the list of calls: what a link of that list has in its address. */
  filter: Partial<Record<'account' | 'application' | 'trunk' | 'text', string>>
  /** The account's alerts are linked as well. */
  alerts?: boolean
}

/** Beside a record: the way to its calls. */
export const RelatedCalls = ({ filter, alerts }: RelatedCallsProps) => {
  const { data: able } = useQuery(capabilitiesQuery)
  // not every server filters calls by their application
  if (filter.application && !able?.callSearch) return null
  const search = new URLSearchParams({ date: '30', ...filter }).toString()
  return (
    <Box title="Related">
      <p>
        <Link href={`${paths.recentCalls}?${search}`}>Calls of the last 30 days</Link>
      </p>
      {alerts ? (
        <p>
          <Link href={`${paths.alerts}?${new URLSearchParams({ date: '7', ...filter }).toString()}`}>
            Alerts of the last 7 days
          </Link>
        </p>
      ) : null}
    </Box>
  )
}
