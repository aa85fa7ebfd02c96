import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { logKey, startCloudWatch } from '../../../test/doubles/cloud-watch'
import { accountLines } from '../../ports/system-logs'
import { UnavailableError } from '../../ports/service-errors'
import { cloudWatchLogs, type CloudWatchOptions } from './cloud-watch'

const group = 'jambonz-feature_server'

describe('logs in CloudWatch', () => {
  let cloud: Awaited<ReturnType<typeof startCloudWatch>>
  beforeEach(async () => {
    cloud = await startCloudWatch(2)
  })
  afterEach(() => cloud.stop())

  const logs = (overrides: Partial<CloudWatchOptions> = {}) =>
    cloudWatchLogs({
      region: 'eu-west-1',
      clientOverrides: { endpoint: cloud.endpoint, credentials: logKey },
      ...overrides,
    })
  const withName = { callSid: 'sid-1', callId: 'id-1@host' }
  const wanted = { group, from: 1000, to: 9000, ...withName }
  const line = (timestamp: number, message: object) => ({ timestamp, message })

  it('contain the lines with an identifier of the call in its time range, of all pages', async () => {
    cloud.addLines(group, [
      line(3000, { msg: 'two', callId: 'id-1@host' }),
      line(2000, { msg: 'one', callSid: 'sid-1' }),
      line(2500, { msg: 'of another', callSid: 'sid-2' }),
      line(999, { msg: 'before', callSid: 'sid-1' }),
      line(9001, { msg: 'after', callSid: 'sid-1' }),
      line(9000, { msg: 'last', callSid: 'sid-1' }),
      line(4000, { msg: 'three', callSid: 'sid-1' }),
      line(5000, { msg: 'four', callSid: 'sid-1', callId: 'other@host' }),
    ])
    cloud.addLines('another', [line(2000, { msg: 'elsewhere', callSid: 'sid-1' })])
    const { lines, isComplete } = await logs().find(wanted)
    expect(lines.map((item) => (JSON.parse(item) as { msg: string }).msg)).toEqual([
      'one',
      'two',
      'three',
      'four',
      'last',
    ])
    expect(isComplete).toBe(true)
    expect(cloud.requests[0]).toEqual({
      logGroupName: group,
      startTime: 1000,
      endTime: 9000,
      filterPattern: '{ ($.callSid = "sid-1") || ($.callId = "id-1@host") }',
    })
    // five lines are three pages with empty pages in between
    expect(cloud.requests.map(({ nextToken }) => nextToken)).toEqual([undefined, '1', '2', '3', '4'])
  })

  it('are searched literally for identifiers with quotes and backslashes', async () => {
    const callId = 'a"b\\c") || ($.msg = "x'
    cloud.addLines(group, [line(2000, { msg: 'x' }), line(3000, { msg: 'mine', callId })])
    const { lines } = await logs().find({ ...wanted, callId })
    expect(lines).toEqual([JSON.stringify({ msg: 'mine', callId })])
    expect(cloud.requests[0]?.filterPattern).toBe(
      '{ ($.callSid = "sid-1") || ($.callId = "a\\"b\\\\c\\") || ($.msg = \\"x") }',
    )
  })

  it.each(['*', 'a*', '%.+%', 'a\nb'])('are not searched for %j, which is not a plain Call-ID', async (callId) => {
    cloud.addLines(group, [line(2000, { callSid: 'sid-1' }), line(3000, { callSid: 'sid-2', callId: 'abc' })])
    expect((await logs().find({ ...wanted, callId })).lines).toEqual([JSON.stringify({ callSid: 'sid-1' })])
    expect(cloud.requests[0]?.filterPattern).toBe('{ ($.callSid = "sid-1") }')
    expect(await logs().find({ ...wanted, callSid: '*', callId })).toEqual({ lines: [], isComplete: true })
    expect(cloud.requests).toHaveLength(1)
  })

  it('are read up to a limit', async () => {
    const count = Array.from({ length: 9 }, (_, index) => line(2000 + index, { callSid: 'sid-1', at: index }))
    cloud.addLines(group, count)
    const all = await logs({ limits: { lines: 10, characters: 10_000 } }).find(wanted)
    expect(all).toMatchObject({ isComplete: true, lines: { length: 9 } })
    const few = await logs({ limits: { lines: 3, characters: 10_000 } }).find(wanted)
    expect(few).toMatchObject({ isComplete: false, lines: { length: 4 } })
    const short = await logs({ limits: { lines: 10, characters: 10 } }).find(wanted)
    expect(short).toMatchObject({ isComplete: false, lines: { length: 2 } })
  })

  it('are incomplete after a timeout, and fail if nothing was read', async () => {
    cloud.addLines(
      group,
      Array.from({ length: 9 }, (_, index) => line(2000 + index, { callSid: 'sid-1', at: index })),
    )
    cloud.stickAfter(3)
    expect(await logs({ timeoutMs: 1500 }).find(wanted)).toMatchObject({ isComplete: false, lines: { length: 4 } })
    await expect(logs({ timeoutMs: 300 }).find(wanted)).rejects.toThrow('does not respond')
  })

  it('explain rejected credentials, a missing group, a failure and an unreachable AWS', async () => {
    await expect(logs().find(wanted)).rejects.toThrow(`There is no log group ${group} in eu-west-1.`)
    cloud.addLines(group)
    const credentials = { accessKeyId: 'AKIASTRANGER', secretAccessKey: 'x' }
    const unknownClient = logs({ clientOverrides: { endpoint: cloud.endpoint, credentials } })
    await expect(unknownClient.find(wanted)).rejects.toThrow('logs:FilterLogEvents')
    for (const [type, received] of [
      ['AccessDeniedException', 'logs:FilterLogEvents'],
      ['InvalidParameterException', 'The log service failed'],
    ] as const) {
      cloud.failWith(type)
      await expect(logs().find(wanted)).rejects.toThrow(received)
    }
    const unreachable = logs({ clientOverrides: { endpoint: 'http://127.0.0.1:9', credentials: logKey } })
    await expect(unreachable.find(wanted)).rejects.toThrow(UnavailableError)
    await expect(unreachable.find(wanted)).rejects.toThrow('does not respond')
  })
})

describe('the log lines of an account', () => {
  const ownRecord = { callSid: 'sid-1', callId: 'id-1@host' }
  const read = (lines: (object | string)[], name: { callSid: string; callId?: string } = ownRecord) =>
    accountLines(
      lines.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))),
      name,
      'Acme',
    ).map((item) => JSON.parse(item) as object)

  it('match the identifiers of the call exactly', () => {
    const owner = [{ callSid: 'sid-1' }, { callId: 'id-1@host', n: 1 }]
    expect(read([...owner, { callSid: 'SID-1' }, { callId: 'id-1@host2' }, { call_sid: 'sid-1' }])).toEqual(owner)
    expect(read(['sid-1', '"sid-1"', '{"callSid":"sid-1"', 'null', '[]'])).toEqual([])
    expect(read(owner, { callSid: 'sid-1' })).toEqual([owner[0]])
  })

  it('contain no other account', () => {
    const owner = [
      { callSid: 'sid-1', accountSid: 'acme' },
      { callSid: 'sid-1', account_sid: '', accountSid: null },
    ]
    const others = [
      { callSid: 'sid-1', accountSid: 'bolt' },
      { callSid: 'sid-1', account_sid: 'bolt' },
    ]
    expect(read([...owner, ...others])).toEqual(owner)
  })
})
