import { describe, expect, it } from 'vitest'
import { isTrouble, logLineOf } from './log-line'

const line = (said: object) => logLineOf(JSON.stringify(said))

describe('a line of a log', () => {
  it('says when, how bad, what, and what else', () => {
    expect(
      line({
        level: 30,
        time: 1_795_255_030_123,
        pid: 7,
        hostname: 'ip-10-0-0-1',
        callSid: 'sid',
        callId: 'id',
        accountSid: 'acme',
        verb: 'gather',
        options: { input: ['speech'] },
        none: null,
        msg: 'executing verb',
      }),
    ).toMatchObject({
      time: 1_795_255_030_123,
      level: 'info',
      title: 'executing verb',
      aside: 'verb=gather options={"input":["speech"]}',
    })
  })

  it.each([
    [10, 'trace'],
    [20, 'debug'],
    [35, 'warn'],
    [50, 'error'],
    [60, 'fatal'],
    [100, 'fatal'],
    ['WARNING', 'warn'],
    ['Error', 'error'],
    [0, undefined],
    [-3, undefined],
    ['loud', undefined],
    [null, undefined],
  ])('has of level %j the level %s', (level, expected) => {
    expect(line({ level, msg: 'x' }).level).toBe(expected)
  })

  it('understands times as texts, and none that are no times', () => {
    expect(line({ timestamp: '2026-11-20T10:00:00.5Z' }).time).toBe(Date.parse('2026-11-20T10:00:00.500Z'))
    for (const time of ['soon', 1e300, {}, null]) expect(line({ time })).not.toHaveProperty('time')
  })

  it('is in order for reading, with nothing left out', () => {
    const { fields } = line({ level: 30, callSid: 'sid', payload: { verb: 'say' } })
    expect(fields).toBe('{\n  "level": 30,\n  "callSid": "sid",\n  "payload": {\n    "verb": "say"\n  }\n}')
  })

  it.each(['The log goes on.', '"text"', '[1]', '12', 'null', '{"cut":'])('is plain text where it is %s', (text) => {
    expect(logLineOf(` ${text}\n`)).toEqual({ text: ` ${text}\n`, title: text, aside: '' })
  })

  it('is short where a row shows it', () => {
    expect(line({ msg: 'x', payload: 'y'.repeat(100_000) }).aside).toHaveLength(300)
  })
})

it('asks for attention from a warning on', () => {
  expect((['trace', 'debug', 'info', 'warn', 'error', 'fatal', undefined] as const).map(isTrouble)).toEqual([
    ...[false, false, false],
    ...[true, true, true],
    false,
  ])
})
