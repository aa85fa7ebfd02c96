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
import { useTry } from './service-source'
import { isOff, summaryOf } from './test-status-values'

const tests = 'speech_test'
const keyOf = (sid: string) => [tests, sid]

/** The last test result in this session, which has more detail than the stored one. */
export const useFound = (sid: string): { found: SpeechTest | undefined; busy: boolean } => {
  const { data, isFetching } = useQuery<SpeechTest>({ queryKey: keyOf(sid), queryFn: skipToken })
  return { found: data, busy: isFetching }
}

/** Discards the test result of a changed service, and cancels a running test. */
export const forget = (cache: QueryClient, sid: string) => cache.removeQueries({ queryKey: keyOf(sid) })

/** Treats a 422 as a failed test: the server reports that no vendor can accept the credential. */
const refusedIsFailed = (error: unknown): SpeechTest => {
  if (!(error instanceof Problem) || error.status !== 422) throw error
  const part = { status: 'fail', reason: error.msg } as const
  return { tts: part, stt: part }
}

/** The maximum number of concurrent tests. */
const atOnce = 3

/** Tests stored services and keeps the results. */
export const useTryService = () => {
  const ask = useTry()
  const cache = useQueryClient()
  const busy = useIsFetching({ queryKey: [tests] }) > 0

  const one = async (row: SpeechCredential): Promise<SpeechTest | undefined> => {
    const sid = row.speech_credential_sid
    try {
      return await cache.fetchQuery({
        queryKey: keyOf(sid),
        queryFn: () => ask(sid).catch(refusedIsFailed),
        // a new test ignores the cached result
        staleTime: 0,
        retry: false,
        meta: { suppressErrorToast: true },
      })
    } catch (error) {
      const isOver = error instanceof CancelledError || (error instanceof Problem && error.hasEndedSession)
      if (!isOver) toast.bad(getErrorMessage(error))
      return undefined
    }
  }

  const refresh = () => cache.invalidateQueries({ queryKey: ['speech_credential'] })

  return {
    busy,

    async one(row: SpeechCredential) {
      if (isOff(row)) return toast.bad(messages.notTested)
      const found = await one(row)
      if (found && summaryOf(row, found) === 'success') toast.ok(messages.tested)
      await refresh()
    },

    async all(rows: readonly SpeechCredential[]) {
      const waiting = rows.filter((row) => !isOff(row))
      const work = async (): Promise<void> => {
        const next = waiting.shift()
        if (!next) return
        await one(next)
        return work()
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      await refresh()
    },
  }
}
