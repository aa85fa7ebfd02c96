import { describe, expect, it } from 'vitest'
import { needsAttention, parseLogLine } from './log-line'

const parse = (fields: object) => parseLogLine(JSON.stringify(fields))

describe('parseLogLine', () => {
  it('returns the time, level, title and other fields', () => {
    expect(
      parse({
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
      fieldSummary: 'verb=gather options={"input":["speech"]}',
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
  ])('maps level %j to %s', (level, expected) => {
    expect(parse({ level, msg: 'x' }).level).toBe(expected)
  })

  it('parses times given as text, and ignores invalid times', () => {
    expect(parse({ timestamp: '2026-11-20T10:00:00.5Z' }).time).toBe(Date.parse('2026-11-20T10:00:00.500Z'))
    for (const time of ['soon', 1e300, {}, null]) expect(parse({ time })).not.toHaveProperty('time')
  })

  it('formats all fields as indented JSON', () => {
    const { fields } = parse({ level: 30, callSid: 'sid', payload: { verb: 'say' } })
    expect(fields).toBe('{\n  "level": 30,\n  "callSid": "sid",\n  "payload": {\n    "verb": "say"\n  }\n}')
  })

  it.each(['The log goes on.', '"text"', '[1]', '12', 'null', '{"cut":'])('shows %s as plain text', (text) => {
    expect(parseLogLine(` ${text}\n`)).toEqual({ text: ` ${text}\n`, title: text, fieldSummary: '' })
  })

  it('limits the text of a row to 300 characters', () => {
    expect(parse({ msg: 'x', payload: 'y'.repeat(100_000) }).fieldSummary).toHaveLength(300)
  })
})

it('needsAttention is true from level warn on', () => {
  expect((['trace', 'debug', 'info', 'warn', 'error', 'fatal', undefined] as const).map(needsAttention)).toEqual([
    ...[false, false, false],
    ...[true, true, true],
    false,
  ])
})
