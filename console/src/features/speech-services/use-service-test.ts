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
import { toast } from '../../ui/feedback/toast'
import { useTestRequest } from './service-source'
import { isUntestable, overallStatus } from './test-status-values'

const testsKey = 'speech_test'
const testKey = (sid: string) => [testsKey, sid]

/** The last test result in this session, which has more detail than the stored one. */
export const useLatestTest = (sid: string): { latestTest: SpeechTest | undefined; isTesting: boolean } => {
  const { data, isFetching } = useQuery<SpeechTest>({ queryKey: testKey(sid), queryFn: skipToken })
  return { latestTest: data, isTesting: isFetching }
}

/** Discards the test result of a changed service, and cancels a running test. */
export const discardTest = (cache: QueryClient, sid: string) => cache.removeQueries({ queryKey: testKey(sid) })

/** Treats a 422 as a failed test: the server reports that no vendor can accept the credential. */
const refusalToFailedTest = (error: unknown): SpeechTest => {
  if (!(error instanceof Problem) || error.status !== 422) throw error
  const part = { status: 'fail', reason: error.msg } as const
  return { tts: part, stt: part }
}

/** The maximum number of concurrent tests. */
const maxConcurrent = 3

/** Tests stored services and keeps the results. */
export const useServiceTests = () => {
  const requestTest = useTestRequest()
  const cache = useQueryClient()
  const isTesting = useIsFetching({ queryKey: [testsKey] }) > 0

  const runTest = async (row: SpeechCredential): Promise<SpeechTest | undefined> => {
    const sid = row.speech_credential_sid
    try {
      return await cache.fetchQuery({
        queryKey: testKey(sid),
        queryFn: () => requestTest(sid).catch(refusalToFailedTest),
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

  const refresh = () => cache.invalidateQueries({ queryKey: ['speech_credential'] })

  return {
    isTesting,

    async one(row: SpeechCredential) {
      if (isUntestable(row)) return toast.bad(messages.notTested)
      const latestTest = await runTest(row)
      if (latestTest && overallStatus(row, latestTest) === 'success') toast.ok(messages.tested)
      await refresh()
    },

    async all(rows: readonly SpeechCredential[]) {
      const queue = rows.filter((row) => !isUntestable(row))
      const runQueue = async (): Promise<void> => {
        const row = queue.shift()
        if (!row) return
        await runTest(row)
        return runQueue()
      }
      await Promise.all(Array.from({ length: maxConcurrent }, runQueue))
      await refresh()
    },
  }
}
