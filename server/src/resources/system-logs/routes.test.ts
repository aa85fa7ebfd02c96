import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { startBackend, type Backend } from '../../../test/backend'
import { awsKey, startCloudWatch } from '../../../test/doubles/cloud-watch'
import { createApiClient } from '../../../test/api-client'
import type { ActorName } from '../../../test/test-data'
import { createCloudWatchLogs } from '../../adapters/system-logs/cloud-watch'

const startMs = Date.parse('2026-11-20T10:00:00Z')
const secondMs = 1000

/** Stores the record of a finished call. */
const writeCall = async (
  { services, testData }: Backend,
  account: 'acme' | 'bolt' | 'corp',
  fields: Record<string, string | number>,
) => {
  const { north, south } = testData.providers
  await services.callHistory.writePoints('cdrs', [
    {
      tags: { account_sid: testData[account].account, service_provider_sid: account === 'corp' ? south : north },
      fields: { from: '1', to: '2', ...fields },
      timeNs: BigInt(startMs) * 1_000_000n,
    },
  ])
}

const createLogReader =
  (backend: Backend) =>
  (actorName: ActorName, callSid: string, account: ActorName = 'acme', query = '') =>
    createApiClient(backend.app, backend.testData.keys[actorName])(
      'GET',
      `/Accounts/${backend.testData[account as 'acme'].account}/RecentCalls/${encodeURIComponent(callSid)}/logs${query}`,
    )

describe('system logs of a call', () => {
  let cloudWatch: Awaited<ReturnType<typeof startCloudWatch>>
  let backend: Backend
  let readLogs: ReturnType<typeof createLogReader>
  beforeAll(async () => {
    cloudWatch = await startCloudWatch()
    const clientOverrides = { endpoint: cloudWatch.endpoint, credentials: awsKey }
    backend = await startBackend({
      config: { features: { ...defaultFeatureFlags, systemLogGroups: ['features', 'sbc'] } },
      externalServices: { systemLogs: createCloudWatchLogs({ region: 'eu-west-1', clientOverrides }) },
    })
    readLogs = createLogReader(backend)
    const { acme, bolt } = backend.testData
    await writeCall(backend, 'acme', {
      call_sid: 'c-1',
      sip_callid: 'one@host',
      terminated_at: startMs + 20 * secondMs,
    })
    await writeCall(backend, 'acme', { call_sid: 'c-short', sip_callid: 'short@host', duration: 30 })
    await writeCall(backend, 'bolt', { call_sid: 'c-2', sip_callid: 'two@host' })
    await writeCall(backend, 'corp', { call_sid: 'c-3', sip_callid: 'three@host' })
    // Records of acme with the SIDs and Call-IDs of other calls.
    await writeCall(backend, 'acme', { call_sid: 'c-3', sip_callid: 'own@host' })
    await writeCall(backend, 'acme', { call_sid: 'c-forged', sip_callid: 'two@host' })
    await writeCall(backend, 'acme', { call_sid: 'c-star', sip_callid: '*' })
    await writeCall(backend, 'acme', { call_sid: 'c-long', sip_callid: 'long@host' })
    const logLine = (seconds: number, message: object) => ({ timestamp: startMs + seconds * secondMs, message })
    cloudWatch.addLines('features', [
      logLine(0, { callSid: 'c-1', msg: 'begins', accountSid: acme.account }),
      logLine(1, { callId: 'one@host', msg: 'rings' }),
      logLine(2, { callId: 'one@host', msg: 'of another account', accountSid: bolt.account }),
      logLine(-60, { callSid: 'c-1', msg: 'a minute before' }),
      logLine(80, { callSid: 'c-1', msg: 'a minute after' }),
      logLine(-61, { callSid: 'c-1', msg: 'too early' }),
      logLine(81, { callSid: 'c-1', msg: 'too late' }),
      logLine(90, { callSid: 'c-short', msg: 'in time' }),
      logLine(91, { callSid: 'c-short', msg: 'too late' }),
      logLine(0, { callSid: 'c-2', callId: 'two@host', msg: "bolt's" }),
      logLine(0, { callSid: 'c-3', callId: 'three@host', msg: "corp's" }),
      logLine(0, { callSid: 'c-forged', msg: 'of the forged record' }),
    ])
    cloudWatch.addLines(
      'features',
      Array.from({ length: 7 }, (_, index) => logLine(index, { callSid: 'c-long', msg: `${index}` })),
    )
    cloudWatch.addLines('sbc', [logLine(0, { callId: 'one@host', msg: 'INVITE' })])
  })
  afterAll(async () => {
    await backend.close()
    await cloudWatch.stop()
  })

  const readMessages = ({ status, body }: { status: number; body: unknown }) => {
    expect({ status, body }).toMatchObject({ status: 200 })
    return (body as string[]).map((logLineText) => (JSON.parse(logLineText) as { msg: string }).msg)
  }

  it('cover the minute before and after the call, without lines of other accounts', async () => {
    for (const actorName of ['acme', 'north', 'admin'] as const)
      expect(readMessages(await readLogs(actorName, 'c-1'))).toEqual([
        'a minute before',
        'begins',
        'rings',
        'a minute after',
      ])
    expect(readMessages(await readLogs('acme', 'c-short'))).toEqual(['in time'])
  })

  it('are read from the requested log group if it is configured', async () => {
    expect(readMessages(await readLogs('acme', 'c-1', 'acme', '?logGroupName=sbc'))).toEqual(['INVITE'])
    expect(readMessages(await readLogs('acme', 'c-1', 'acme', '?logGroupName='))).toContain('begins')
    const requestCount = cloudWatch.requests.length
    expect(await readLogs('acme', 'c-1', 'acme', '?logGroupName=payroll')).toMatchObject({
      status: 400,
      body: { msg: 'logGroupName must be one of features, sbc', field: 'logGroupName' },
    })
    expect(cloudWatch.requests).toHaveLength(requestCount)
  })

  it('are visible only to the owner of the call, even if others write records with its SID', async () => {
    const refusal = { status: 403, body: { msg: 'insufficient privileges' } }
    for (const actorName of ['bolt', 'corp', 'south'] as const)
      expect(await readLogs(actorName, 'c-1')).toMatchObject(refusal)
    const missing = { status: 404, body: { msg: 'Call not found' } }
    for (const callSid of ['c-2', 'c-3', 'none', '*', "' or 1=1"])
      expect(await readLogs('acme', callSid)).toMatchObject(missing)
    expect(readMessages(await readLogs('acme', 'c-forged'))).toEqual(['of the forged record'])
    expect(readMessages(await readLogs('acme', 'c-star'))).toEqual([])
    expect(readMessages(await readLogs('bolt', 'c-2', 'bolt'))).toEqual(["bolt's"])
  })

  it('end with a notice if lines were left out', async () => {
    const { body } = await readLogs('acme', 'c-long')
    expect(body).toHaveLength(7)
    const limitedCloudWatch = await startCloudWatch(5)
    limitedCloudWatch.addLines(
      'features',
      Array.from({ length: 7 }, (_, index) => ({ timestamp: startMs + index, message: { callSid: 'c-long' } })),
    )
    const clientOverrides = { endpoint: limitedCloudWatch.endpoint, credentials: awsKey }
    const limitedBackend = await startBackend({
      config: { features: { ...defaultFeatureFlags, systemLogGroups: ['features'] } },
      externalServices: {
        systemLogs: createCloudWatchLogs({
          region: 'eu-west-1',
          clientOverrides,
          limits: { lines: 5, characters: 1e6 },
        }),
      },
    })
    await writeCall(limitedBackend, 'acme', { call_sid: 'c-long' })
    const truncatedLogs = await createLogReader(limitedBackend)('acme', 'c-long')
    expect(truncatedLogs.body).toHaveLength(6)
    expect(truncatedLogs.body[5]).toBe('The log is longer. Only its beginning was loaded.')
    await limitedBackend.close()
    await limitedCloudWatch.stop()
  })

  it('return 503 if AWS fails', async () => {
    cloudWatch.failWith('AccessDeniedException')
    const { status, body, headers } = await readLogs('acme', 'c-1')
    cloudWatch.failWith(undefined)
    expect(status).toBe(503)
    expect(headers['retry-after']).toBe('5')
    expect(body.msg).toContain('logs:FilterLogEvents')
  })

  it('are available only at the URL of an account', async () => {
    const { app, testData } = backend
    const path = `/ServiceProviders/${testData.providers.north}/RecentCalls/c-1/logs`
    expect(await createApiClient(app, testData.keys.north)('GET', path)).toMatchObject({
      status: 400,
      body: { msg: 'account_sid required' },
    })
    expect(await createApiClient(app, testData.keys.south)('GET', path)).toMatchObject({ status: 403 })
  })
})

it('system logs are refused without AWS', async () => {
  const backend = await startBackend()
  await writeCall(backend, 'acme', { call_sid: 'c-1' })
  for (const callSid of ['c-1', 'none'])
    expect(await createLogReader(backend)('acme', callSid)).toMatchObject({
      status: 400,
      body: { msg: 'Logs are only available in AWS environments' },
    })
  expect(await createLogReader(backend)('bolt', 'c-1')).toMatchObject({ status: 403 })
  await backend.close()
})
