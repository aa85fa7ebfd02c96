import { useQuery } from '@tanstack/react-query'
import { QueryPanel } from '../../kit/record/query-panel'
import { paths } from '../../lib/paths'
import { FailingCarrierRow } from '../../panels/calls/failing-carrier-row'
import { createFailingCarriersQuery } from '../../panels/calls/failing-carriers-query'
import { Link } from '../../ui/link'
import type { HomeScope } from './home-queries'

/** The carriers that fail now. Omitted if all work. */
export const FailingCarriersPanel = ({ scope }: { scope: HomeScope }) => {
  const query = useQuery(createFailingCarriersQuery(scope))
  return (
    <QueryPanel
      title="Failing carriers"
      query={query}
      skeleton={{ rows: 1, height: 54 }}
      isEmpty={(rows) => rows.length === 0}
      count={(rows) => rows.length}
      end={<Link href={paths.carriers.list}>All carriers</Link>}
    >
      {(rows) => (
        <ul>
          {rows.map((row) => (
            <FailingCarrierRow
              key={`${row.name} ${row.voip_carrier_sid}`}
              row={row}
              scope={scope}
              now={query.dataUpdatedAt}
              hasName
            />
          ))}
        </ul>
      )}
    </QueryPanel>
  )
}
