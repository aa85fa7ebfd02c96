import { expect, it } from 'vitest'
import { noPlatform, type LiveCall, type LivePlatform } from '../../ports/live-platform'
import { UnavailableError } from '../../ports/service-errors'
import { providerCallCache } from './provider-call-cache'

/** A platform with given calls that counts its reads. */
const platform = () => {
  const calls: LiveCall[] = []
  const state = { asked: 0, down: false, wait: Promise.resolve() }
  const live: LivePlatform = {
    ...noPlatform,
    calls: async () => {
      state.asked += 1
      const now = calls.map((call) => ({ ...call }))
      await state.wait
      if (state.down) throw new UnavailableError('gone')
      return now
    },
  }
  return { calls, state, live }
}

const setUp = () => {
  let now = 1_000_000
  const { calls, state, live } = platform()
  const providers: Record<string, string> = { acme: 'north', bolt: 'north', coil: 'south' }
  const below = providerCallCache(
    live,
    (account_sid) => Promise.resolve(providers[account_sid]),
    () => now,
  )
  const sids = async (provider: string) => (await below.list(provider)).map(({ callSid }) => callSid)
  const pass = (milliseconds: number) => (now += milliseconds)
  return { calls, state, below, sids, pass }
}

it('returns each provider its own calls, with one read per few seconds', async () => {
  const { calls, state, sids, pass } = setUp()
  calls.push(
    { callSid: '1', accountSid: 'acme' },
    { callSid: '2', accountSid: 'coil' },
    { callSid: '3', accountSid: 'bolt' },
    { callSid: '4', accountSid: 'nobody' },
  )
  const [north, second, south] = await Promise.all([sids('north'), sids('north'), sids('south')])
  expect([north, second, south]).toEqual([['1', '3'], ['1', '3'], ['2']])
  expect(await sids('west')).toEqual([])
  pass(2000)
  calls.push({ callSid: '5', accountSid: 'acme' })
  expect(await sids('north')).toEqual(['1', '3'])
  expect(state.asked).toBe(1)
  pass(1000)
  expect(await sids('north')).toEqual(['1', '3', '5'])
  expect(state.asked).toBe(2)
})

it('reads again after a change, even while an earlier read is running', async () => {
  const { calls, state, below, sids } = setUp()
  let respond = () => undefined as void
  state.wait = new Promise((done) => (respond = done))
  const initialValue = sids('north')
  below.invalidate()
  calls.push({ callSid: '1', accountSid: 'acme' })
  const after = sids('north')
  respond()
  expect(await initialValue).toEqual([])
  expect(await after).toEqual(['1'])
  expect(await sids('north')).toEqual(['1'])
  expect(state.asked).toBe(2)
})

it('does not cache a failure', async () => {
  const { calls, state, sids } = setUp()
  calls.push({ callSid: '1', accountSid: 'acme' })
  state.down = true
  await expect(sids('north')).rejects.toThrow(UnavailableError)
  state.down = false
  expect(await sids('north')).toEqual(['1'])
})
