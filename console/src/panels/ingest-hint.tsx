import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/recent-call'
import { capabilitiesQuery, isTrunkline } from '../lib/server-capabilities'
import { useActor } from '../session/session'

/** A hint about when rows appear in a list. For administrators of our server, it adds how voice servers write them. */
export const IngestHint = ({ when }: { when: string }) => {
  const { scope } = useActor()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  return <>{scope === 'admin' && isTrunkline(capabilities) ? `${when} ${messages.ingestHint}` : when}</>
}
