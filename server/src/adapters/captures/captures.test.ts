import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseCapture } from '../../../../console/src/features/recent-calls/flow/model/capture/capture'
import { buildCapturedMessage } from '../../../test/captured-message'
import { homerLogin, startHomer } from '../../../test/doubles/homer'
import { databaseEngines, createSeededDatabase } from '../../../test/databases'
import type { CapturedMessage, Captures, DialogType } from '../../ports/captures'
import { createHomerCaptures } from './homer'
import { createSqlCaptureStore } from './sql'

interface CaptureSetup {
  captures: Captures
  addMessages: (messages: CapturedMessage[]) => Promise<void>
  stop: () => Promise<void>
}

const startSqlCaptures = async (databaseEngine: (typeof databaseEngines)[number]): Promise<CaptureSetup> => {
  const database = await createSeededDatabase(databaseEngine)
  const store = createSqlCaptureStore(database, 0)
  return { captures: store, addMessages: (messages) => store.storeMessages(messages), stop: () => database.close() }
}

const startHomerCaptures = async (): Promise<CaptureSetup> => {
  const homer = await startHomer()
  return {
    captures: createHomerCaptures({ url: homer.url, ...homerLogin }),
    addMessages: (messages) => Promise.resolve(void homer.addMessages(messages)),
    stop: () => homer.stop(),
  }
}

const setups: [string, () => Promise<CaptureSetup>][] = [
  ...databaseEngines.map((databaseEngine): [string, () => Promise<CaptureSetup>] => [
    databaseEngine,
    () => startSqlCaptures(databaseEngine),
  ]),
  ['homer', startHomerCaptures],
]

const sipMessage = (startLine: string, callId: string) =>
  Buffer.from(`${startLine}\r\nCall-ID: ${callId}\r\nCSeq: 1 INVITE\r\n\r\n`)

describe.each(setups)('captures in %s', (_, startCaptures) => {
  const nowUs = Date.now() * 1000
  let setup: CaptureSetup
  beforeAll(async () => {
    setup = await startCaptures()
    await setup.addMessages([
      buildCapturedMessage('one@host', {
        timeUs: nowUs - 999,
        payload: sipMessage('SIP/2.0 486 Busy Here', 'one@host'),
      }),
      buildCapturedMessage('other@host', { payload: sipMessage('INVITE sip:other SIP/2.0', 'other@host') }),
    ])
    await setup.addMessages([
      buildCapturedMessage('one@host', {
        timeUs: nowUs - 1001,
        payload: sipMessage('INVITE sip:one SIP/2.0', 'one@host'),
      }),
    ])
    await setup.addMessages([
      buildCapturedMessage('both', { timeUs: nowUs - 2, payload: sipMessage('INVITE sip:both SIP/2.0', 'both') }),
      buildCapturedMessage('both', {
        timeUs: nowUs - 1,
        dialogType: 'register',
        payload: sipMessage('REGISTER sip:both SIP/2.0', 'both'),
      }),
      buildCapturedMessage('registered', { dialogType: 'register' }),
    ])
  })
  afterAll(() => setup.stop())

  const listMessages = async (callId: string) => {
    const result = (await setup.captures.findMessages(callId)) as
      { total: number; data: { messages: object[] } } | undefined
    expect(result?.data.messages).toHaveLength(result?.total ?? 0)
    return result?.data.messages
  }
  const readMethods = async (callId: string, dialogType: DialogType) => {
    const file = await setup.captures.findPcap(callId, dialogType)
    return file && parseCapture(file)?.messages.map(({ method, status }) => status ?? method)
  }

  it('return the messages of a dialog in the same format, sorted by time', async () => {
    const endpoints = { sid: 'one@host', srcIp: '198.51.100.24', srcPort: 5060, dstIp: '203.0.113.10', dstPort: 5070 }
    const timestampFields = (timeUs: number) => ({
      timeSeconds: Math.floor(timeUs / 1e6),
      timeUseconds: timeUs % 1e6,
      create_date: Math.floor(timeUs / 1000),
    })
    expect(await listMessages('one@host')).toMatchObject([
      {
        ...endpoints,
        ...timestampFields(nowUs - 1001),
        method: 'INVITE',
        raw: sipMessage('INVITE sip:one SIP/2.0', 'one@host').toString(),
      },
      { ...endpoints, ...timestampFields(nowUs - 999), method: '486' },
    ])
    expect(await listMessages('both')).toMatchObject([{ method: 'INVITE' }, { method: 'REGISTER' }])
  })

  it('return a pcap file with the packets of a dialog, sorted by time', async () => {
    const file = (await setup.captures.findPcap('one@host', 'invite'))!
    expect(parseCapture(file)).toMatchObject({
      packetCount: 2,
      isDamaged: false,
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

  it('separate calls from registrations', async () => {
    expect(await readMethods('both', 'invite')).toEqual(['INVITE'])
    expect(await readMethods('both', 'register')).toEqual(['REGISTER'])
    expect(await readMethods('registered', 'invite')).toBeUndefined()
  })

  it('return nothing of dialogs with similar Call-IDs', async () => {
    for (const callId of ['none', 'ONE@HOST', 'one', 'one%', '']) {
      expect({ callId, messages: await listMessages(callId) }).toEqual({ callId, messages: [] })
      expect({ callId, methods: await readMethods(callId, 'invite') }).toEqual({ callId, methods: undefined })
    }
  })
})
