import { queryOptions } from '@tanstack/react-query'
import { me } from '@trunkline/contract/resources/session'
import { request } from '../lib/client'

/** Who is signed in, as the server has it now: the token keeps the name of the day it was made. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => request(me, { signal }),
  staleTime: 60_000,
  meta: { quiet: true },
})
