import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { awsKey, startCloudWatch } from '../../../test/doubles/cloud-watch'
import { filterAccountLines } from '../../ports/system-logs'
import { UnavailableError } from '../../ports/service-errors'
import { createCloudWatchLogs, type CloudWatchOptions } from './cloud-watch'

const logGroup = 'jambonz-feature_server'

describe('logs in CloudWatch', () => {
  let cloud: Awaited<ReturnType<typeof startCloudWatch>>
  beforeEach(async () => {
    cloud = await startCloudWatch(2)
  })
  afterEach(() => cloud.stop())

  const createLogs = (overrides: Partial<CloudWatchOptions> = {}) =>
    createCloudWatchLogs({
      region: 'eu-west-1',
      clientOverrides: { endpoint: cloud.endpoint, credentials: awsKey },
      ...overrides,
    })
  const callIds = { callSid: 'sid-1', callId: 'id-1@host' }
  const query = { logGroup, from: 1000, to: 9000, ...callIds }
  const buildEvent = (timestamp: number, message: object) => ({ timestamp, message })

  it('are read on all pages, with the lines in the time range that have an identifier of the call', async () => {
    cloud.addLines(logGroup, [
      buildEvent(3000, { msg: 'two', callId: 'id-1@host' }),
      buildEvent(2000, { msg: 'one', callSid: 'sid-1' }),
      buildEvent(2500, { msg: 'of another', callSid: 'sid-2' }),
      buildEvent(999, { msg: 'before', callSid: 'sid-1' }),
      buildEvent(9001, { msg: 'after', callSid: 'sid-1' }),
      buildEvent(9000, { msg: 'last', callSid: 'sid-1' }),
      buildEvent(4000, { msg: 'three', callSid: 'sid-1' }),
      buildEvent(5000, { msg: 'four', callSid: 'sid-1', callId: 'other@host' }),
    ])
    cloud.addLines('another', [buildEvent(2000, { msg: 'elsewhere', callSid: 'sid-1' })])
    const { lines, isComplete } = await createLogs().findLines(query)
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'one',
      'two',
      'three',
      'four',
      'last',
    ])
    expect(isComplete).toBe(true)
    expect(cloud.requests[0]).toEqual({
      logGroupName: logGroup,
      startTime: 1000,
      endTime: 9000,
      filterPattern: '{ ($.callSid = "sid-1") || ($.callId = "id-1@host") }',
    })
    // The five lines are on three pages, with an empty page after each of the first two.
    expect(cloud.requests.map(({ nextToken }) => nextToken)).toEqual([undefined, '1', '2', '3', '4'])
  })

  it('are searched literally for identifiers with quotes and backslashes', async () => {
    const callId = 'a"b\\c") || ($.msg = "x'
    cloud.addLines(logGroup, [buildEvent(2000, { msg: 'x' }), buildEvent(3000, { msg: 'match', callId })])
    const { lines } = await createLogs().findLines({ ...query, callId })
    expect(lines).toEqual([JSON.stringify({ msg: 'match', callId })])
    expect(cloud.requests[0]?.filterPattern).toBe(
      '{ ($.callSid = "sid-1") || ($.callId = "a\\"b\\\\c\\") || ($.msg = \\"x") }',
    )
  })

  it.each(['*', 'a*', '%.+%', 'a\nb'])(
    'are not searched for the Call-ID %j, which cannot be matched literally',
    async (callId) => {
      cloud.addLines(logGroup, [
        buildEvent(2000, { callSid: 'sid-1' }),
        buildEvent(3000, { callSid: 'sid-2', callId: 'abc' }),
      ])
      expect((await createLogs().findLines({ ...query, callId })).lines).toEqual([JSON.stringify({ callSid: 'sid-1' })])
      expect(cloud.requests[0]?.filterPattern).toBe('{ ($.callSid = "sid-1") }')
      expect(await createLogs().findLines({ ...query, callSid: '*', callId })).toEqual({ lines: [], isComplete: true })
      expect(cloud.requests).toHaveLength(1)
    },
  )

  it('are read up to a limit', async () => {
    const events = Array.from({ length: 9 }, (_, index) => buildEvent(2000 + index, { callSid: 'sid-1', at: index }))
    cloud.addLines(logGroup, events)
    const completeResult = await createLogs({ limits: { lines: 10, characters: 10_000 } }).findLines(query)
    expect(completeResult).toMatchObject({ isComplete: true, lines: { length: 9 } })
    const limitedByLines = await createLogs({ limits: { lines: 3, characters: 10_000 } }).findLines(query)
    expect(limitedByLines).toMatchObject({ isComplete: false, lines: { length: 4 } })
    const limitedByCharacters = await createLogs({ limits: { lines: 10, characters: 10 } }).findLines(query)
    expect(limitedByCharacters).toMatchObject({ isComplete: false, lines: { length: 2 } })
  })

  it('are incomplete after a timeout, and fail if nothing was read', async () => {
    cloud.addLines(
      logGroup,
      Array.from({ length: 9 }, (_, index) => buildEvent(2000 + index, { callSid: 'sid-1', at: index })),
    )
    cloud.hangAfter(3)
    expect(await createLogs({ timeoutMs: 1500 }).findLines(query)).toMatchObject({
      isComplete: false,
      lines: { length: 4 },
    })
    await expect(createLogs({ timeoutMs: 300 }).findLines(query)).rejects.toThrow('does not respond')
  })

  it('explain rejected credentials, a missing group, a failure and an unreachable AWS', async () => {
    await expect(createLogs().findLines(query)).rejects.toThrow(`There is no log group ${logGroup} in eu-west-1.`)
    cloud.addLines(logGroup)
    const credentials = { accessKeyId: 'AKIAUNKNOWN', secretAccessKey: 'x' }
    const logsWithUnknownKey = createLogs({ clientOverrides: { endpoint: cloud.endpoint, credentials } })
    await expect(logsWithUnknownKey.findLines(query)).rejects.toThrow('logs:FilterLogEvents')
    for (const [errorType, expectedMessage] of [
      ['AccessDeniedException', 'logs:FilterLogEvents'],
      ['InvalidParameterException', 'The log service failed'],
    ] as const) {
      cloud.failWith(errorType)
      await expect(createLogs().findLines(query)).rejects.toThrow(expectedMessage)
    }
    const unreachableLogs = createLogs({ clientOverrides: { endpoint: 'http://127.0.0.1:9', credentials: awsKey } })
    await expect(unreachableLogs.findLines(query)).rejects.toThrow(UnavailableError)
    await expect(unreachableLogs.findLines(query)).rejects.toThrow('does not respond')
  })
})

describe('the log lines of an account', () => {
  const callIds = { callSid: 'sid-1', callId: 'id-1@host' }
  const filterLines = (lines: (object | string)[], ids: { callSid: string; callId?: string } = callIds) =>
    filterAccountLines(
      lines.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))),
      ids,
      'Acme',
    ).map((item) => JSON.parse(item) as object)

  it('match the identifiers of the call exactly', () => {
    const matchingLines = [{ callSid: 'sid-1' }, { callId: 'id-1@host', n: 1 }]
    expect(
      filterLines([...matchingLines, { callSid: 'SID-1' }, { callId: 'id-1@host2' }, { call_sid: 'sid-1' }]),
    ).toEqual(matchingLines)
    expect(filterLines(['sid-1', '"sid-1"', '{"callSid":"sid-1"', 'null', '[]'])).toEqual([])
    expect(filterLines(matchingLines, { callSid: 'sid-1' })).toEqual([matchingLines[0]])
  })

  it('exclude lines that name another account', () => {
    const visibleLines = [
      { callSid: 'sid-1', accountSid: 'acme' },
      { callSid: 'sid-1', account_sid: '', accountSid: null },
    ]
    const foreignLines = [
      { callSid: 'sid-1', accountSid: 'bolt' },
      { callSid: 'sid-1', account_sid: 'bolt' },
    ]
    expect(filterLines([...visibleLines, ...foreignLines])).toEqual(visibleLines)
  })
})
