import { queryOptions } from '@tanstack/react-query'
import { registeredUsers } from '@trunkline/contract/resources/live-call'
import { request } from '../lib/client'
import { namedQueryKey } from '../lib/query-keys'

/** The username of a registered address: `user@realm`, or only `user`. */
export const getUsername = (address: string) => address.replace(/@[^@]*$/, '')

const pollIntervalMs = 30_000

/** Creates the query of the usernames that are registered in an account. Sends no request without an account. */
export const createRegisteredClientsQuery = (account_sid: string | null) =>
  queryOptions({
    queryKey: namedQueryKey('live_call', 'registeredClients', account_sid),
    queryFn: async ({ signal }) => {
      const registeredAddresses = await request(registeredUsers.list, {
        params: { account_sid: account_sid ?? '' },
        signal,
        isBackground: true,
      })
      return new Set(registeredAddresses.map(getUsername))
    },
    enabled: !!account_sid,
    refetchInterval: pollIntervalMs,
    retry: false,
    meta: { suppressErrorToast: true },
  })
