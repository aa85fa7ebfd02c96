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

/** The maximum number of concurrent tests. */
const maxConcurrentTests = 3

/** Returns functions that test stored services. Results stay in the query cache, where `useLatestTest` reads them. */
export const useServiceTests = () => {
  const requestTest = useRequestTest()
  const cache = useQueryClient()
  const isTesting = useIsFetching({ queryKey: kindKey('speech_test') }) > 0

  const runTest = async (row: SpeechCredential): Promise<SpeechTest | undefined> => {
    const sid = row.speech_credential_sid
    try {
      return await cache.fetchQuery({
        queryKey: getTestKey(sid),
        queryFn: () => requestTest(sid).catch(toFailedTest),
        // a new test ignores the cached result
        staleTime: 0,
        retry: false,
        meta: { suppressErrorToast: true },
      })
    } catch (error) {
      const isCancelled = error instanceof CancelledError || (error instanceof Problem && error.hasEndedSession)
      if (!isCancelled) toast.bad(getErrorMessage(error))
      return undefined
    }
  }

  const refresh = () => cache.invalidateQueries({ queryKey: kindKey('speech_credential') })

  return {
    isTesting,

    async testOne(row: SpeechCredential) {
      if (isUntestable(row)) return toast.bad(messages.notTested)
      const latestTest = await runTest(row)
      if (latestTest && getOverallStatus(row, latestTest) === 'success') toast.ok(messages.tested)
      await refresh()
    },

    async testAll(rows: readonly SpeechCredential[]) {
      const queue = rows.filter((row) => !isUntestable(row))
      const runQueue = async (): Promise<void> => {
        const row = queue.shift()
        if (!row) return
        await runTest(row)
        return runQueue()
      }
      await Promise.all(Array.from({ length: maxConcurrentTests }, runQueue))
      await refresh()
    },
  }
}
