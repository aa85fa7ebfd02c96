import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildCapturedMessage } from '../../../test/captured-message'
import { databaseEngines, createSeededDatabase } from '../../../test/databases'
import type { CaptureListOptions } from '../../ports/captures'
import { StorageFullError } from '../../ports/service-errors'
import { createSqlCaptureStore } from './sql'

const dayMs = 24 * 60 * 60 * 1000
const timeUs = 1_700_000_000_123_456

/** Computes the one's complement sum of 16-bit words: 0xffff for data that contains its valid checksum. */
const computeChecksum = (bytes: Buffer): number => {
  const padded = bytes.length % 2 ? Buffer.concat([bytes, Buffer.alloc(1)]) : bytes
  let sum = 0
  for (let index = 0; index < padded.length; index += 2) sum += padded.readUInt16BE(index)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return sum
}

describe.each(databaseEngines)('the table of captures (%s)', (databaseEngine) => {
  let database: Awaited<ReturnType<typeof createSeededDatabase>>
  beforeEach(async () => {
    database = await createSeededDatabase(databaseEngine)
  })
  afterEach(() => database.close())
  const countRows = async () =>
    (await database.db.selectFrom('trunkline_capture_parts').select('call_id').execute()).length

  it('returns IPv6 addresses and microseconds', async () => {
    const store = createSqlCaptureStore(database, 0)
    const address = Buffer.from('20010db8000000000000000000000001', 'hex')
    await store.storeMessages([
      buildCapturedMessage('one', { timeUs, source: { address, port: 1 }, target: { address, port: 2 } }),
    ])
    expect(await store.findMessages('one')).toMatchObject({
      total: 1,
      data: {
        messages: [
          {
            srcIp: '2001:db8::1',
            srcPort: 1,
            dstIp: '2001:db8::1',
            dstPort: 2,
            timeSeconds: 1_700_000_000,
            timeUseconds: 123_456,
            create_date: 1_700_000_000_123,
          },
        ],
      },
    })
  })

  it('writes valid pcap files with correct headers, times and checksums', async () => {
    const store = createSqlCaptureStore(database, 0)
    const ipv6Endpoint = { address: Buffer.from('20010db8000000000000000000000001', 'hex'), port: 7 }
    const oddLengthPayload = Buffer.from('INVITE sip:x SIP/2.0\r\nCall-ID: 1\r\n\r\n.')
    await store.storeMessages([
      buildCapturedMessage('1', { timeUs, payload: oddLengthPayload }),
      buildCapturedMessage('1', { timeUs, source: ipv6Endpoint, target: ipv6Endpoint, payload: oddLengthPayload }),
    ])
    const file = (await store.findPcap('1', 'invite'))!
    expect(file.subarray(0, 24).toString('hex')).toBe('d4c3b2a1020004000000000000000000ffff000065000000')
    expect([24, 28, 32, 36].map((index) => file.readUInt32LE(index))).toEqual([
      1_700_000_000,
      123_456,
      28 + oddLengthPayload.length,
      28 + oddLengthPayload.length,
    ])
    const ipv4Packet = file.subarray(40, 40 + 28 + oddLengthPayload.length)
    expect(ipv4Packet.subarray(0, 10).toString('hex')).toBe(
      `4500${(28 + oddLengthPayload.length).toString(16).padStart(4, '0')}000040004011`,
    )
    expect(computeChecksum(ipv4Packet.subarray(0, 20))).toBe(0xffff)
    const pseudoHeaderEnd = Buffer.from([0, 17, 0, 8 + oddLengthPayload.length])
    expect(
      computeChecksum(Buffer.concat([ipv4Packet.subarray(12, 20), pseudoHeaderEnd, ipv4Packet.subarray(20)])),
    ).toBe(0xffff)
    expect([ipv4Packet.readUInt16BE(20), ipv4Packet.readUInt16BE(22), ipv4Packet.readUInt16BE(24)]).toEqual([
      5060,
      5070,
      8 + oddLengthPayload.length,
    ])
    expect(ipv4Packet.subarray(28)).toEqual(oddLengthPayload)
    const ipv6Packet = file.subarray(40 + ipv4Packet.length + 16)
    expect(ipv6Packet.subarray(0, 8).toString('hex')).toBe(
      `60000000${(8 + oddLengthPayload.length).toString(16).padStart(4, '0')}1140`,
    )
    expect(computeChecksum(Buffer.concat([ipv6Packet.subarray(8, 40), pseudoHeaderEnd, ipv6Packet.subarray(40)]))).toBe(
      0xffff,
    )
    expect(ipv6Packet.subarray(48)).toEqual(oddLengthPayload)
  })

  it('stores more messages than fit into one statement', async () => {
    const store = createSqlCaptureStore(database, 0)
    const payload = Buffer.alloc(60_000, 'x')
    await store.storeMessages([
      ...Array.from({ length: 450 }, (_, index) => buildCapturedMessage(`call ${index}`)),
      ...Array.from({ length: 60 }, (_, index) =>
        buildCapturedMessage(`large ${index % 20}`, { payload, timeUs: timeUs + index }),
      ),
    ])
    expect(await countRows()).toBe(470)
    expect(await store.findMessages('large 19')).toMatchObject({ total: 3 })
  })

  it('returns messages once if their batch is stored again', async () => {
    const store = createSqlCaptureStore(database, 0)
    const request = buildCapturedMessage('one', { timeUs })
    const retransmission = buildCapturedMessage('one', { timeUs: timeUs + 500_000 })
    const response = buildCapturedMessage('one', { timeUs, payload: Buffer.from('SIP/2.0 100 Trying\r\n\r\n') })
    await store.storeMessages([request, response])
    await store.storeMessages([request, response, retransmission])
    expect(await store.findMessages('one')).toMatchObject({ total: 3 })
    expect((await store.findPcap('one', 'invite'))!.length).toBe(
      24 + 3 * (16 + 28) + 2 * request.payload.length + response.payload.length,
    )
  })

  const sipMessage = (callId: string, startLine: string, from: string, to: string, method: string) =>
    Buffer.from(
      `${startLine}\r\nCall-ID: ${callId}\r\nFrom: "Ann" <sip:${from}>;tag=1\r\nTo: <sip:${to}>\r\nCSeq: 1 ${method}\r\n\r\n`,
    )

  it('lists dialogs with their numbers and response, newest first', async () => {
    const store = createSqlCaptureStore(database, 0)
    const [annUri, deskUri] = ['+442079460123@acme.example.com', 'desk@acme.example.com']
    await store.storeMessages([
      buildCapturedMessage('reg', {
        timeUs,
        dialogType: 'register',
        payload: sipMessage('reg', `REGISTER sip:a SIP/2.0`, annUri, annUri, 'REGISTER'),
      }),
    ])
    await store.storeMessages([
      buildCapturedMessage('call', {
        timeUs,
        payload: sipMessage('call', `INVITE sip:${deskUri} SIP/2.0`, annUri, deskUri, 'INVITE'),
      }),
      buildCapturedMessage('reg', {
        timeUs: timeUs + 1,
        dialogType: 'register',
        payload: sipMessage('reg', 'SIP/2.0 403 Forbidden', annUri, annUri, 'REGISTER'),
      }),
    ])
    const listCallIds = async (options: CaptureListOptions) =>
      (await store.listDialogs!(options)).data.map(({ call_id }) => call_id)
    expect(await store.listDialogs!({})).toEqual({
      data: expect.arrayContaining([
        {
          call_id: 'reg',
          method: 'REGISTER',
          from: annUri,
          to: annUri,
          sip_status: 403,
          reason: 'Forbidden',
          messages: 2,
          first_at: '2023-11-14T22:13:20.123Z',
          source: '198.51.100.24:5060',
          target: '203.0.113.10:5070',
        },
      ]),
      next: null,
    })
    expect(await listCallIds({})).toHaveLength(2)
    expect(await listCallIds({ dialogType: 'register' })).toEqual(['reg'])
    expect(await listCallIds({ dialogType: 'invite' })).toEqual(['call'])
    expect(await listCallIds({ text: 'DESK@' })).toEqual(['call'])
    expect((await listCallIds({ text: '2079460123' })).toSorted()).toEqual(['call', 'reg'])
    expect((await listCallIds({ text: '198.51.100.24:5060' })).toSorted()).toEqual(['call', 'reg'])
    expect(await listCallIds({ text: 'nobody' })).toEqual([])
    expect(await listCallIds({ text: 'reg', dialogType: 'register' })).toEqual(['reg'])
    expect(await listCallIds({ text: 'reg', dialogType: 'invite' })).toEqual([])
  })

  it('lists each dialog on exactly one page', async () => {
    let now = Date.parse('2026-03-01T12:00:00Z')
    const store = createSqlCaptureStore(database, 2, () => now)
    await store.storeMessages(Array.from({ length: 120 }, (_, index) => buildCapturedMessage(`call ${index}`)))
    const callIds: string[] = []
    let beforeSid: string | undefined
    for (let page = 0; page < 3; page += 1) {
      const { data, next } = await store.listDialogs!(beforeSid === undefined ? {} : { beforeSid })
      callIds.push(...data.map(({ call_id }) => call_id))
      expect(next === null).toBe(page === 2)
      beforeSid = next ?? undefined
    }
    expect(new Set(callIds).size).toBe(120)
    now += 3 * dayMs
    expect(await store.listDialogs!({})).toEqual({ data: [], next: null })
  })

  it('hides and prunes captures after their retention period', async () => {
    let now = Date.parse('2026-03-01T12:00:00Z')
    const store = createSqlCaptureStore(database, 2, () => now)
    await store.storeMessages(Array.from({ length: 700 }, (_, index) => buildCapturedMessage(`old ${index}`)))
    now += 1.5 * dayMs
    await store.storeMessages([buildCapturedMessage('old 1')])
    expect(await store.findMessages('old 1')).toMatchObject({ total: 2 })
    now += dayMs
    expect(await store.findMessages('old 1')).toMatchObject({ total: 1 })
    expect(await store.findPcap('old 2', 'invite')).toBeUndefined()
    await store.prune()
    expect(await countRows()).toBe(1)
    await createSqlCaptureStore(database, 0, () => now + 4000 * dayMs).prune()
    expect(await countRows()).toBe(1)
  })
})

it('reports a full disk', async () => {
  const database = await createSeededDatabase('sqlite')
  await sql`pragma max_page_count = 1`.execute(database.db)
  const payload = Buffer.alloc(60_000, 'x')
  await expect(
    createSqlCaptureStore(database, 0).storeMessages([buildCapturedMessage('1', { payload })]),
  ).rejects.toThrow(StorageFullError)
  await database.close()
})
