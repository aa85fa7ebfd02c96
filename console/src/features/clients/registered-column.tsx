import { useQuery } from '@tanstack/react-query'
import { registeredUsers } from '@trunkline/contract/resources/live-call'
import type { Client } from '@trunkline/contract/shapes/client'
import type { ListColumn } from '../../kit/list/list-column'
import { request } from '../../lib/client'
import { namedQueryKey } from '../../lib/query-keys'
import { Status } from '../../ui/status'

/** The username of a registered address: `user@realm`, or only `user`. */
export const getUsername = (address: string) => address.replace(/@[^@]*$/, '')

const pollIntervalMs = 30_000

/**
 * Shows whether a device is registered as this client. One request serves all clients of an account; shows nothing if
 * the state is unknown.
 */
const RegistrationStatus = ({ account_sid, username }: Client) => {
  const { data } = useQuery({
    queryKey: namedQueryKey('live_call', 'registeredClients', account_sid),
    queryFn: async ({ signal }) => {
      const registeredAddresses = await request(registeredUsers.list, {
        params: { account_sid: account_sid ?? '' },
        signal,
        isPolling: true,
      })
      return new Set(registeredAddresses.map(getUsername))
    },
    enabled: !!account_sid,
    refetchInterval: pollIntervalMs,
    retry: false,
    meta: { suppressErrorToast: true },
  })
  if (!data) return null
  return data.has(username ?? '') ? <Status kind="ok">Registered</Status> : <Status kind="off">Unregistered</Status>
}

export const registeredColumn: ListColumn<Client> = {
  id: 'registered',
  head: 'Registration',
  width: 160,
  cell: (row) => <RegistrationStatus {...row} />,
}
