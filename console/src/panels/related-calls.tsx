import { useQuery } from '@tanstack/react-query'
import { capabilitiesQuery } from '../lib/server-capabilities'
import { paths } from '../lib/paths'
import { Box } from '../ui/form/box'
import { Link } from '../ui/link'

export interface RelatedCallsProps {
  /** The filter of the call list, as in its URL. */
  filter: Partial<Record<'account' | 'application' | 'trunk' | 'text', string>>
  /** Adds a link to the account's alerts. */
  linksToAlerts?: boolean
}

/** A box beside a record that links to its calls. */
export const RelatedCalls = ({ filter, linksToAlerts }: RelatedCallsProps) => {
  const { data: capabilities } = useQuery(capabilitiesQuery)
  // not every server can filter calls by application
  if (filter.application && !capabilities?.callSearch) return null
  const search = new URLSearchParams({ date: '30', ...filter }).toString()
  return (
    <Box title="Related">
      <p>
        <Link href={`${paths.recentCalls}?${search}`}>Calls of the last 30 days</Link>
      </p>
      {linksToAlerts ? (
        <p>
          <Link href={`${paths.alerts}?${new URLSearchParams({ date: '7', ...filter }).toString()}`}>
            Alerts of the last 7 days
          </Link>
        </p>
      ) : null}
    </Box>
  )
}
