import { useQuery } from '@tanstack/react-query'
import { toOwnPlan, type OwnPlan } from '../../panels/subscription/own-plan'
import { getErrorMessage } from '../../lib/problem'
import { meQuery } from '../../session/me-query'

interface LoadedPlan {
  plan?: OwnPlan
  /** Why the plan could not be loaded. */
  error?: string
  isFetching: boolean
  retry: () => void
}

/** The plan of the user's account, as current as when the screen opened. */
export const useOwnPlan = (): LoadedPlan => {
  const { data, error, isFetching, refetch, isFetchedAfterMount } = useQuery({ ...meQuery, refetchOnMount: 'always' })
  const isCurrent = data !== undefined && isFetchedAfterMount
  return {
    ...(isCurrent ? { plan: toOwnPlan(data) } : {}),
    ...(error && !isCurrent ? { error: getErrorMessage(error) } : {}),
    isFetching,
    retry: () => void refetch(),
  }
}
