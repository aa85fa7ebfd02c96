import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { Problem, getErrorMessage } from './problem'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Suppresses the error toast, because the screen shows something else instead. */
      quiet?: boolean
    }
    mutationMeta: {
      /** Suppresses the error toast, because the caller shows the error on a field or in a dialog. */
      quiet?: boolean
    }
  }
}

const worthSaying = (error: unknown, quiet?: boolean) =>
  !quiet && !(error instanceof Problem && (error.hasEndedSession || error.isPolling))

/** Retries once, and only after a 5xx: a refusal would not change within a second. */
const again = (failures: number, error: unknown) => failures < 1 && error instanceof Problem && error.status >= 500

/** Creates the query cache. It reports each failure once, through `tell`, unless the caller handles it. */
export const createQueryClient = (tell: (text: string) => void) =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (worthSaying(error, query.meta?.quiet)) tell(getErrorMessage(error))
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _sent, _context, mutation) => {
        if (worthSaying(error, mutation.meta?.quiet)) tell(getErrorMessage(error))
      },
    }),
    defaultOptions: {
      queries: { staleTime: 5_000, gcTime: 5 * 60_000, retry: again, retryDelay: 500, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
