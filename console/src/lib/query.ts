import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { Problem, sayProblem } from './problem'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** Fails without a word: something else is shown instead. */
      quiet?: boolean
    }
    mutationMeta: {
      /** The caller shows what went wrong: on a field, in a dialog. */
      quiet?: boolean
    }
  }
}

const worthSaying = (error: unknown, quiet?: boolean) =>
  !quiet && !(error instanceof Problem && (error.hasEndedSession || error.isPolling))

/** A refusal will be the same a second later; only a stumbling server is asked once more. */
const again = (failures: number, error: unknown) => failures < 1 && error instanceof Problem && error.status >= 500

/** The cache of what the server said. Every failure is told once, here, unless somebody takes it. */
export const makeQueryClient = (tell: (text: string) => void) =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (worthSaying(error, query.meta?.quiet)) tell(sayProblem(error))
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _sent, _context, mutation) => {
        if (worthSaying(error, mutation.meta?.quiet)) tell(sayProblem(error))
      },
    }),
    defaultOptions: {
      queries: { staleTime: 5_000, gcTime: 5 * 60_000, retry: again, retryDelay: 500, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
