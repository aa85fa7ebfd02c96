import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import { useEffect, useRef, useState } from 'react'
import { Problem, getErrorMessage } from '../../lib/problem'
import { toast } from '../../ui/feedback/toast'
import { runTests, type TestProgress, type TestSummary } from './test-run'
import { useServiceTests } from './use-service-test'

/** Returns the services to test. */
type FetchServices = (signal: AbortSignal) => Promise<readonly SpeechCredential[]>

const noServices: ReadonlySet<string> = new Set()

/** Tests of many services, one run at a time. Leaving the screen cancels the run. */
export const useTestRun = () => {
  const { runTest, refresh } = useServiceTests()
  const [progress, setProgress] = useState<TestProgress>()
  const [summary, setSummary] = useState<TestSummary>()
  const [isCancelling, setCancelling] = useState(false)
  const controllerRef = useRef<AbortController>(undefined)
  useEffect(() => () => controllerRef.current?.abort(), [])

  const start = async (fetchServices: FetchServices) => {
    const controller = new AbortController()
    const { signal } = controller
    controllerRef.current = controller
    setSummary(undefined)
    setProgress({ doneCount: 0, total: 0, waitingSids: noServices })
    try {
      setSummary(await runTests(await fetchServices(signal), { runTest, signal, onProgress: setProgress }))
    } catch (error) {
      const isExpected = signal.aborted || (error instanceof Problem && error.hasEndedSession)
      if (!isExpected) toast.bad(getErrorMessage(error))
    }
    setProgress(undefined)
    setCancelling(false)
    await refresh()
  }

  return {
    /** Undefined while no test is running. */
    progress,
    /** The result of the last run. */
    summary,
    isCancelling,
    start,
    /** Starts no further test, and shows the result once the running ones have ended. */
    cancel: () => {
      setCancelling(true)
      controllerRef.current?.abort()
    },
    dismiss: () => setSummary(undefined),
    isWaiting: ({ speech_credential_sid }: SpeechCredential) =>
      progress?.waitingSids.has(speech_credential_sid) === true && !isCancelling,
  }
}

export type TestRun = ReturnType<typeof useTestRun>
