import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseCapture } from '../../../../console/src/features/recent-calls/flow/model/capture/capture'
import { captured } from '../../../test/captured'
import { login, startHomer } from '../../../test/doubles/homer'
import { engines, fresh } from '../../../test/engines'
import type { CapturedMessage, Captures, Dialogue } from '../../ports/captures'
import { homerCaptures } from './homer'
import { sqlCaptures } from './sql'

interface Kept {
  captures: Captures
  /** Stores messages in this kind of store. */
  put: (messages: CapturedMessage[]) => Promise<void>
  stop: () => Promise<void>
}

const inSql = async (engine: (typeof engines)[number]): Promise<Kept> => {
  const database = await fresh(engine)
  const store = sqlCaptures(database, 0)
  return { captures: store, put: (messages) => store.add(messages), stop: () => database.close() }
}

const inHomer = async (): Promise<Kept> => {
  const homer = await startHomer()
  return {
    captures: homerCaptures({ url: homer.url, ...login }),
    put: (messages) => Promise.resolve(void homer.addMessages(messages)),
    stop: () => homer.stop(),
  }
}

const setups: [string, () => Promise<Kept>][] = [
  ...engines.map((engine) => [engine, () => inSql(engine)] as [string, () => Promise<Kept>]),
  ['homer', inHomer],
]

const sip = (line: string, callId: string) => Buffer.from(`${line}\r\nCall-ID: ${callId}\r\nCSeq: 1 INVITE\r\n\r\n`)

describe.each(setups)('captures in %s', (_, open) => {
  const now = Date.now() * 1000
  let stored: Kept
  beforeAll(async () => {
    stored = await open()
    await stored.put([
      captured('one@host', { time: now - 999, payload: sip('SIP/2.0 486 Busy Here', 'one@host') }),
      captured('other@host', { payload: sip('INVITE sip:other SIP/2.0', 'other@host') }),
    ])
    await stored.put([captured('one@host', { time: now - 1001, payload: sip('INVITE sip:one SIP/2.0', 'one@host') })])
    await stored.put([
      captured('both', { time: now - 2, payload: sip('INVITE sip:both SIP/2.0', 'both') }),
      captured('both', { time: now - 1, dialogue: 'register', payload: sip('REGISTER sip:both SIP/2.0', 'both') }),
      captured('registered', { dialogue: 'register' }),
    ])
  })
  afterAll(() => stored.stop())

  const responses = async (callId: string) => {
    const result = (await stored.captures.trace(callId)) as { total: number; data: { messages: object[] } } | undefined
    expect(result?.data.messages).toHaveLength(result?.total ?? 0)
    return result?.data.messages
  }
  const read = async (callId: string, dialogue: Dialogue) => {
    const file = await stored.captures.pcap(callId, dialogue)
    return file && parseCapture(file)?.messages.map(({ method, status }) => status ?? method)
  }

  it('return a dialogue in the same format, in order of time', async () => {
    const ends = { sid: 'one@host', srcIp: '198.51.100.24', srcPort: 5060, dstIp: '203.0.113.10', dstPort: 5070 }
    const timestamp = (time: number) => ({
      timeSeconds: Math.floor(time / 1e6),
      timeUseconds: time % 1e6,
      create_date: Math.floor(time / 1000),
    })
    expect(await responses('one@host')).toMatchObject([
      {
        ...ends,
        ...timestamp(now - 1001),
        method: 'INVITE',
        raw: sip('INVITE sip:one SIP/2.0', 'one@host').toString(),
      },
      { ...ends, ...timestamp(now - 999), method: '486' },
    ])
    expect(await responses('both')).toMatchObject([{ method: 'INVITE' }, { method: 'REGISTER' }])
  })

  it('return a pcap file with its packets, in order of time', async () => {
    const file = (await stored.captures.pcap('one@host', 'invite'))!
    expect(parseCapture(file)).toMatchObject({
      packets: 2,
      cut: false,
      messages: [
        {
          method: 'INVITE',
          source: { address: '198.51.100.24', port: 5060 },
          target: { address: '203.0.113.10', port: 5070 },
        },
        { status: 486 },
      ],
    })
  })

  it('keep calls and registrations apart', async () => {
    expect(await read('both', 'invite')).toEqual(['INVITE'])
    expect(await read('both', 'register')).toEqual(['REGISTER'])
    expect(await read('registered', 'invite')).toBeUndefined()
  })

  it('return nothing of dialogues with similar Call-IDs', async () => {
    for (const callId of ['none', 'ONE@HOST', 'one', 'one%', '']) {
      expect({ callId, told: await responses(callId) }).toEqual({ callId, told: [] })
      expect({ callId, read: await read(callId, 'invite') }).toEqual({ callId, read: undefined })
    }
  })
})
