import { CancelledError } from '@tanstack/react-query'
import type { SpeechCredential, SpeechTest } from '@trunkline/contract/shapes/speech-credential'
import { expect, it } from 'vitest'
import { Problem } from '../../lib/problem'
import { formatSummary, runTests, type TestProgress } from './test-run'

const serviceOf = (speech_credential_sid: string, columns: object = {}) =>
  ({ speech_credential_sid, vendor: 'deepgram', use_for_tts: 1, use_for_stt: 1, ...columns }) as SpeechCredential

const ok = { status: 'ok' } as const
const notTested = { status: 'not tested' } as const
const failWith = (reason?: string): SpeechTest['tts'] => ({ status: 'fail', ...(reason ? { reason } : {}) })

/** Runs one test per service, each with this result. */
const run = (outcomes: Record<string, SpeechTest | Error>, onProgress: (progress: TestProgress) => void = () => {}) =>
  runTests(
    Object.keys(outcomes).map((sid) => serviceOf(sid)),
    {
      runTest: ({ speech_credential_sid }) => {
        const outcome = outcomes[speech_credential_sid]!
        return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome)
      },
      signal: new AbortController().signal,
      onProgress,
    },
  )

it('counts a service as passed only if no direction failed, and names the reason of each failure in order', async () => {
  const summary = await run({
    passed: { tts: ok, stt: ok },
    refused: new Problem(503, { msg: 'busy' }),
    partial: { tts: ok, stt: failWith('bad model') },
    failed: { tts: failWith(), stt: failWith() },
    untestable: { tts: notTested, stt: notTested },
    deleted: new CancelledError(),
  })
  expect(summary.failures.map(({ row, reason }) => [row.speech_credential_sid, reason])).toEqual([
    ['refused', 'busy'],
    ['partial', 'bad model'],
    ['failed', 'Failed'],
  ])
  expect(formatSummary(summary)).toBe('1 of 4 passed, 2 not tested')
})

it('reports which services wait, and how many are done', async () => {
  const progress: [number, number, string[]][] = []
  await run(
    Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((sid) => [sid, { tts: ok, stt: ok }])),
    ({ doneCount, total, waitingSids }) => progress.push([doneCount, total, [...waitingSids]]),
  )
  expect(progress[0]).toEqual([0, 5, ['b', 'c', 'd', 'e']])
  expect(progress).toContainEqual([0, 5, ['e']])
  expect(progress.at(-1)).toEqual([5, 5, []])
})

it('does not report a session that ended as a failure of a service', async () => {
  const sessionEnd = new Problem(401, undefined, { hasEndedSession: true })
  await expect(run({ a: sessionEnd, b: { tts: ok, stt: ok } })).rejects.toBe(sessionEnd)
})

it('describes a run without tests', async () => {
  expect(formatSummary(await run({}))).toBe('No speech services.')
  const off = serviceOf('off', { use_for_tts: 0, use_for_stt: 0 })
  const summary = await runTests([off], {
    runTest: () => Promise.reject(new Error('tested')),
    signal: new AbortController().signal,
    onProgress: () => {},
  })
  expect(formatSummary(summary)).toBe('1 not tested')
})
