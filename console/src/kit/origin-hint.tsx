import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/recent-call'
import { capabilitiesQuery, isTrunkline } from '../lib/server-capabilities'
import { useActor } from '../session/session'

/** When rows appear in a list and, for an administrator of a server with these settings, how they get in. */
export const OriginHint = ({ when }: { when: string }) => {
  const { scope } = useActor()
  const { data: able } = useQuery(capabilitiesQuery)
  return <>{scope === 'admin' && isTrunkline(able) ? `${when} ${messages.howWritten}` : when}</>
}
