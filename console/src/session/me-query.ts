import { queryOptions } from '@tanstack/react-query'
import { currentUser } from '@trunkline/contract/resources/session'
import { request } from '../lib/client'
import { namedQueryKey } from '../lib/query-keys'

/** The signed-in user as stored on the server. The name in the token may be out of date. */
export const meQuery = queryOptions({
  queryKey: namedQueryKey('me', 'current'),
  queryFn: ({ signal }) => request(currentUser, { signal }),
  staleTime: 60_000,
  meta: { suppressErrorToast: true },
})
