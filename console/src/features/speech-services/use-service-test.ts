import {
  CancelledError,
  skipToken,
  useIsFetching,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/speech-credential'
import type { SpeechCredential, SpeechTest } from '@trunkline/contract/shapes/speech-credential'
import { Problem, getErrorMessage } from '../../lib/problem'
import { kindKey, namedQueryKey } from '../../lib/query-keys'
import { toast } from '../../ui/feedback/toast'
import { useRequestTest } from './service-source'
import { isUntestable, getOverallStatus } from './test-status-values'

const getTestKey = (sid: string) => namedQueryKey('speech_test', 'latest', sid)

/** The latest test result in this session, which has more detail than the stored one. */
export const useLatestTest = (sid: string): { latestTest: SpeechTest | undefined; isTesting: boolean } => {
  const { data, isFetching } = useQuery<SpeechTest>({ queryKey: getTestKey(sid), queryFn: skipToken })
  return { latestTest: data, isTesting: isFetching }
}

/** Discards the test result of a changed service, and cancels a running test. */
export const discardTest = (cache: QueryClient, sid: string) => cache.removeQueries({ queryKey: getTestKey(sid) })

/** Treats a 422 as a failed test: the server reports that no vendor can accept the credential. */
const toFailedTest = (error: unknown): SpeechTest => {
  if (!(error instanceof Problem) || error.status !== 422) throw error
  const failure = { status: 'fail', reason: error.msg } as const
  return { tts: failure, stt: failure }
}

/** Returns functions that test stored services. Results stay in the query cache, where `useLatestTest` reads them. */
export const useServiceTests = () => {
  const requestTest = useRequestTest()
  const cache = useQueryClient()
  const isTesting = useIsFetching({ queryKey: kindKey('speech_test') }) > 0

  const runTest = (row: SpeechCredential): Promise<SpeechTest> => {
    const sid = row.speech_credential_sid
    return cache.fetchQuery({
      queryKey: getTestKey(sid),
      queryFn: () => requestTest(sid).catch(toFailedTest),
      // a new test ignores the cached result
      staleTime: 0,
      retry: false,
      meta: { suppressErrorToast: true },
    })
  }

  const refresh = () => cache.invalidateQueries({ queryKey: kindKey('speech_credential') })

  return {
    isTesting,
    /** Tests a service. Throws CancelledError if it is changed or deleted meanwhile. */
    runTest,
    /** Loads the stored results again. */
    refresh,

    async testOne(row: SpeechCredential) {
      if (isUntestable(row)) return toast.bad(messages.notTested)
      try {
        if (getOverallStatus(row, await runTest(row)) === 'success') toast.ok(messages.tested)
      } catch (error) {
        const isCancelled = error instanceof CancelledError || (error instanceof Problem && error.hasEndedSession)
        if (!isCancelled) toast.bad(getErrorMessage(error))
      }
      await refresh()
    },
  }
}
