import { queryOptions } from '@tanstack/react-query'
import { currentUser } from '@trunkline/contract/resources/session'
import { request } from '../lib/client'

/** The signed-in user as stored on the server. The name in the token may be out of date. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => request(currentUser, { signal }),
  staleTime: 60_000,
  meta: { suppressErrorToast: true },
})
