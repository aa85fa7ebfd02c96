import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'

type QueryState = Pick<UseQueryResult, 'data' | 'error' | 'errorUpdateCount'>

/** Whether a query has failed and has no data, also while its request is repeated. */
export const hasFailed = ({ data, errorUpdateCount }: Omit<QueryState, 'error'>): boolean =>
  // the count belongs to the query, so that the query of another record starts without an error
  data === undefined && errorUpdateCount > 0

/**
 * The error of a query without data, also while its request is repeated: the query itself forgets it then, and the screen
 * would change back to its skeleton at every refresh. Null once there is data.
 */
export const useQueryFailure = (query: QueryState): Error | null => {
  const { error } = query
  const [lastError, setLastError] = useState(error)
  if (error && error !== lastError) setLastError(error)
  return hasFailed(query) ? (error ?? lastError) : null
}
