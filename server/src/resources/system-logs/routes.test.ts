import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { startBackend, type Backend } from '../../../test/backend'
import { logKey, startCloudWatch } from '../../../test/doubles/cloud-watch'
import { apiClient } from '../../../test/speak'
import type { ActorName } from '../../../test/world'
import { cloudWatchLogs } from '../../adapters/system-logs/cloud-watch'

const begin = Date.parse('2026-11-20T10:00:00Z')
const second = 1000

/** A finished call, as its end was reported. */
const record = async (
  { services, world }: Backend,
  account: 'acme' | 'bolt' | 'corp',
  fields: Record<string, string | number>,
) => {
  const { north, south } = world.providers
  await services.callHistory.write('cdrs', [
    {
      tags: { account_sid: world[account].account, service_provider_sid: account === 'corp' ? south : north },
      fields: { from: '1', to: '2', ...fields },
      time: BigInt(begin) * 1_000_000n,
    },
  ])
}

const asker =
  (backend: Backend) =>
  (actorName: ActorName, call: string, account: ActorName = 'acme', query = '') =>
    apiClient(backend.app, backend.world.keys[actorName])(
      'GET',
      `/Accounts/${backend.world[account as 'acme'].account}/RecentCalls/${encodeURIComponent(call)}/logs${query}`,
    )

describe('system logs of a call', () => {
  let cloud: Awaited<ReturnType<typeof startCloudWatch>>
  let backend: Backend
  let ask: ReturnType<typeof asker>
  beforeAll(async () => {
    cloud = await startCloudWatch()
    const otherLocation = { endpoint: cloud.endpoint, credentials: logKey }
    backend = await startBackend({
      config: { features: { ...defaultFeatureFlags, systemLogGroups: ['features', 'sbc'] } },
      outside: { systemLogs: cloudWatchLogs({ region: 'eu-west-1', clientOverrides: otherLocation }) },
    })
    ask = asker(backend)
    const { acme, bolt } = backend.world
    await record(backend, 'acme', { call_sid: 'c-1', sip_callid: 'one@host', terminated_at: begin + 20 * second })
    await record(backend, 'acme', { call_sid: 'c-short', sip_callid: 'short@host', duration: 30 })
    await record(backend, 'bolt', { call_sid: 'c-2', sip_callid: 'two@host' })
    await record(backend, 'corp', { call_sid: 'c-3', sip_callid: 'three@host' })
    // A tenant that writes records with the SIDs of others.
    await record(backend, 'acme', { call_sid: 'c-3', sip_callid: 'own@host' })
    await record(backend, 'acme', { call_sid: 'c-forged', sip_callid: 'two@host' })
    await record(backend, 'acme', { call_sid: 'c-star', sip_callid: '*' })
    await record(backend, 'acme', { call_sid: 'c-long', sip_callid: 'long@host' })
    const line = (seconds: number, message: object) => ({ timestamp: begin + seconds * second, message })
    cloud.addLines('features', [
      line(0, { callSid: 'c-1', msg: 'begins', accountSid: acme.account }),
      line(1, { callId: 'one@host', msg: 'rings' }),
      line(2, { callId: 'one@host', msg: 'is also called so', accountSid: bolt.account }),
      line(-60, { callSid: 'c-1', msg: 'a minute before' }),
      line(80, { callSid: 'c-1', msg: 'a minute after' }),
      line(-61, { callSid: 'c-1', msg: 'too early' }),
      line(81, { callSid: 'c-1', msg: 'too late' }),
      line(90, { callSid: 'c-short', msg: 'in time' }),
      line(91, { callSid: 'c-short', msg: 'too late' }),
      line(0, { callSid: 'c-2', callId: 'two@host', msg: "bolt's" }),
      line(0, { callSid: 'c-3', callId: 'three@host', msg: "corp's" }),
      line(0, { callSid: 'c-forged', msg: 'mine' }),
    ])
    cloud.addLines(
      'features',
      Array.from({ length: 7 }, (_, index) => line(index, { callSid: 'c-long', msg: `${index}` })),
    )
    cloud.addLines('sbc', [line(0, { callId: 'one@host', msg: 'INVITE' })])
  })
  afterAll(async () => {
    await backend.close()
    await cloud.stop()
  })

  const readMessages = ({ status, body }: { status: number; body: unknown }) => {
    expect({ status, body }).toMatchObject({ status: 200 })
    return (body as string[]).map((item) => (JSON.parse(item) as { msg: string }).msg)
  }

  it('cover a minute before to a minute after it, without other accounts', async () => {
    for (const actorName of ['acme', 'north', 'admin'] as const)
      expect(readMessages(await ask(actorName, 'c-1'))).toEqual([
        'a minute before',
        'begins',
        'rings',
        'a minute after',
      ])
    expect(readMessages(await ask('acme', 'c-short'))).toEqual(['in time'])
  })

  it('are read from the given log group, if it is configured', async () => {
    expect(readMessages(await ask('acme', 'c-1', 'acme', '?logGroupName=sbc'))).toEqual(['INVITE'])
    expect(readMessages(await ask('acme', 'c-1', 'acme', '?logGroupName='))).toContain('begins')
    const initialValue = cloud.requests.length
    expect(await ask('acme', 'c-1', 'acme', '?logGroupName=payroll')).toMatchObject({
      status: 400,
      body: { msg: 'logGroupName must be one of features, sbc', field: 'logGroupName' },
    })
    expect(cloud.requests).toHaveLength(initialValue)
  })

  it('are visible to the owner only, whatever records others have written', async () => {
    const gate = { status: 403, body: { msg: 'insufficient privileges' } }
    for (const actorName of ['bolt', 'corp', 'south'] as const) expect(await ask(actorName, 'c-1')).toMatchObject(gate)
    const missing = { status: 404, body: { msg: 'Call not found' } }
    for (const call of ['c-2', 'c-3', 'none', '*', "' or 1=1"]) expect(await ask('acme', call)).toMatchObject(missing)
    expect(readMessages(await ask('acme', 'c-forged'))).toEqual(['mine'])
    expect(readMessages(await ask('acme', 'c-star'))).toEqual([])
    expect(readMessages(await ask('bolt', 'c-2', 'bolt'))).toEqual(["bolt's"])
  })

  it('report truncation', async () => {
    const { body } = await ask('acme', 'c-long')
    expect(body).toHaveLength(7)
    const small = await startCloudWatch(5)
    small.addLines(
      'features',
      Array.from({ length: 7 }, (_, index) => ({ timestamp: begin + index, message: { callSid: 'c-long' } })),
    )
    const otherLocation = { endpoint: small.endpoint, credentials: logKey }
    const narrow = await startBackend({
      config: { features: { ...defaultFeatureFlags, systemLogGroups: ['features'] } },
      outside: {
        systemLogs: cloudWatchLogs({
          region: 'eu-west-1',
          clientOverrides: otherLocation,
          limits: { lines: 5, characters: 1e6 },
        }),
      },
    })
    await record(narrow, 'acme', { call_sid: 'c-long' })
    const cut = await asker(narrow)('acme', 'c-long')
    expect(cut.body).toHaveLength(6)
    expect(cut.body[5]).toBe('The log is longer. Only its beginning was loaded.')
    await narrow.close()
    await small.stop()
  })

  it('return 503 if AWS fails', async () => {
    cloud.failWith('AccessDeniedException')
    const { status, body, headers } = await ask('acme', 'c-1')
    cloud.failWith(undefined)
    expect(status).toBe(503)
    expect(headers['retry-after']).toBe('5')
    expect(body.msg).toContain('logs:FilterLogEvents')
  })

  it('are available below an account only', async () => {
    const { app, world } = backend
    const path = `/ServiceProviders/${world.providers.north}/RecentCalls/c-1/logs`
    expect(await apiClient(app, world.keys.north)('GET', path)).toMatchObject({
      status: 400,
      body: { msg: 'account_sid required' },
    })
    expect(await apiClient(app, world.keys.south)('GET', path)).toMatchObject({ status: 403 })
  })
})

it('are refused without AWS', async () => {
  const backend = await startBackend()
  await record(backend, 'acme', { call_sid: 'c-1' })
  for (const call of ['c-1', 'none'])
    expect(await asker(backend)('acme', call)).toMatchObject({
      status: 400,
      body: { msg: 'Logs are only available in AWS environments' },
    })
  expect(await asker(backend)('bolt', 'c-1')).toMatchObject({ status: 403 })
  await backend.close()
})
