import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { Problem, getErrorMessage } from './problem'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Suppresses the error toast, because the screen shows something else instead. */
      suppressErrorToast?: boolean
    }
    mutationMeta: {
      /** Suppresses the error toast, because the caller shows the error on a field or in a dialog. */
      suppressErrorToast?: boolean
    }
  }
}

const shouldReport = (error: unknown, suppressErrorToast?: boolean) =>
  !suppressErrorToast && !(error instanceof Problem && (error.hasEndedSession || error.isBackground))

/** Retries once, and only after a 5xx: a refusal would not change within a second. */
const shouldRetry = (failureCount: number, error: unknown) =>
  failureCount < 1 && error instanceof Problem && error.status >= 500

/** Creates the query cache. It reports each failure once, through `showError`, unless the caller handles it. */
export const createQueryClient = (showError: (text: string) => void) =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (shouldReport(error, query.meta?.suppressErrorToast)) showError(getErrorMessage(error))
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, mutation) => {
        if (shouldReport(error, mutation.meta?.suppressErrorToast)) showError(getErrorMessage(error))
      },
    }),
    defaultOptions: {
      queries: { staleTime: 5_000, gcTime: 5 * 60_000, retry: shouldRetry, retryDelay: 500, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
