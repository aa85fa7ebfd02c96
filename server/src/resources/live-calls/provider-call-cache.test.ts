import { expect, it } from 'vitest'
import { noPlatform, type LiveCall, type LivePlatform } from '../../ports/live-platform'
import { UnavailableError } from '../../ports/service-errors'
import { createProviderCallCache } from './provider-call-cache'

/** A voice platform with the calls in `calls`. It counts how often they are read. */
const createPlatformDouble = () => {
  const calls: LiveCall[] = []
  const state = { readCount: 0, isDown: false, readBarrier: Promise.resolve() }
  const livePlatform: LivePlatform = {
    ...noPlatform,
    listCalls: async () => {
      state.readCount += 1
      const currentCalls = calls.map((call) => ({ ...call }))
      await state.readBarrier
      if (state.isDown) throw new UnavailableError('gone')
      return currentCalls
    },
  }
  return { calls, state, livePlatform }
}

const setUp = () => {
  let now = 1_000_000
  const { calls, state, livePlatform } = createPlatformDouble()
  const providers: Record<string, string> = { acme: 'north', bolt: 'north', coil: 'south' }
  const cache = createProviderCallCache(
    livePlatform,
    (account_sid) => Promise.resolve(providers[account_sid]),
    () => now,
  )
  const listSids = async (provider: string) => (await cache.list(provider)).map(({ callSid }) => callSid)
  const advanceClock = (elapsedMs: number) => (now += elapsedMs)
  return { calls, state, cache, listSids, advanceClock }
}

it('returns the calls of each provider, and reads at most once in a few seconds', async () => {
  const { calls, state, listSids, advanceClock } = setUp()
  calls.push(
    { callSid: '1', accountSid: 'acme' },
    { callSid: '2', accountSid: 'coil' },
    { callSid: '3', accountSid: 'bolt' },
    { callSid: '4', accountSid: 'nobody' },
  )
  const [northSids, repeatedNorthSids, southSids] = await Promise.all([
    listSids('north'),
    listSids('north'),
    listSids('south'),
  ])
  expect([northSids, repeatedNorthSids, southSids]).toEqual([['1', '3'], ['1', '3'], ['2']])
  expect(await listSids('west')).toEqual([])
  advanceClock(2000)
  calls.push({ callSid: '5', accountSid: 'acme' })
  expect(await listSids('north')).toEqual(['1', '3'])
  expect(state.readCount).toBe(1)
  advanceClock(1000)
  expect(await listSids('north')).toEqual(['1', '3', '5'])
  expect(state.readCount).toBe(2)
})

it('reads again after a change, even while an earlier read is running', async () => {
  const { calls, state, cache, listSids } = setUp()
  let finishRead = () => undefined as void
  state.readBarrier = new Promise((resolve) => (finishRead = resolve))
  const sidsOfFirstRead = listSids('north')
  cache.invalidate()
  calls.push({ callSid: '1', accountSid: 'acme' })
  const sidsOfSecondRead = listSids('north')
  finishRead()
  expect(await sidsOfFirstRead).toEqual([])
  expect(await sidsOfSecondRead).toEqual(['1'])
  expect(await listSids('north')).toEqual(['1'])
  expect(state.readCount).toBe(2)
})

it('does not cache a failure', async () => {
  const { calls, state, listSids } = setUp()
  calls.push({ callSid: '1', accountSid: 'acme' })
  state.isDown = true
  await expect(listSids('north')).rejects.toThrow(UnavailableError)
  state.isDown = false
  expect(await listSids('north')).toEqual(['1'])
})
