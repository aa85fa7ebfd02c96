import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/recent-call'
import { capabilitiesQuery, isTrunkline } from '../lib/server-capabilities'
import { useActor } from '../session/session'

/** Shows a hint of a list. For administrators of our server, it adds how voice servers send calls and alerts. */
export const IngestHint = ({ text }: { text: string }) => {
  const { scope } = useActor()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  return <>{scope === 'admin' && isTrunkline(capabilities) ? `${text} ${messages.ingestHint}` : text}</>
}
