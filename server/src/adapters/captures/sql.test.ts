import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { captured } from '../../../test/captured'
import { engines, fresh } from '../../../test/engines'
import type { CaptureListOptions } from '../../ports/captures'
import { StorageFullError } from '../../ports/service-errors'
import { sqlCaptures } from './sql'

const day = 24 * 60 * 60 * 1000
/** Microseconds. */
const time = 1_700_000_000_123_456

/** The sum of data with a valid checksum. */
const sumOf = (bytes: Buffer): number => {
  const padded = bytes.length % 2 ? Buffer.concat([bytes, Buffer.alloc(1)]) : bytes
  let sum = 0
  for (let index = 0; index < padded.length; index += 2) sum += padded.readUInt16BE(index)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return sum
}

describe.each(engines)('the table of captures (%s)', (engine) => {
  let database: Awaited<ReturnType<typeof fresh>>
  beforeEach(async () => {
    database = await fresh(engine)
  })
  afterEach(() => database.close())
  const rows = async () => (await database.db.selectFrom('trunkline_capture_parts').select('call_id').execute()).length

  it('returns IPv6 addresses and microseconds', async () => {
    const store = sqlCaptures(database, 0)
    const address = Buffer.from('20010db8000000000000000000000001', 'hex')
    await store.add([captured('one', { time, source: { address, port: 1 }, target: { address, port: 2 } })])
    expect(await store.trace('one')).toMatchObject({
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
    const store = sqlCaptures(database, 0)
    const six = { address: Buffer.from('20010db8000000000000000000000001', 'hex'), port: 7 }
    const odd = Buffer.from('INVITE sip:x SIP/2.0\r\nCall-ID: 1\r\n\r\n.')
    await store.add([
      captured('1', { time, payload: odd }),
      captured('1', { time, source: six, target: six, payload: odd }),
    ])
    const file = (await store.pcap('1', 'invite'))!
    expect(file.subarray(0, 24).toString('hex')).toBe('d4c3b2a1020004000000000000000000ffff000065000000')
    expect([24, 28, 32, 36].map((index) => file.readUInt32LE(index))).toEqual([
      1_700_000_000,
      123_456,
      28 + odd.length,
      28 + odd.length,
    ])
    const four = file.subarray(40, 40 + 28 + odd.length)
    expect(four.subarray(0, 10).toString('hex')).toBe(
      `4500${(28 + odd.length).toString(16).padStart(4, '0')}000040004011`,
    )
    expect(sumOf(four.subarray(0, 20))).toBe(0xffff)
    const length = Buffer.from([0, 17, 0, 8 + odd.length])
    expect(sumOf(Buffer.concat([four.subarray(12, 20), length, four.subarray(20)]))).toBe(0xffff)
    expect([four.readUInt16BE(20), four.readUInt16BE(22), four.readUInt16BE(24)]).toEqual([5060, 5070, 8 + odd.length])
    expect(four.subarray(28)).toEqual(odd)
    const other = file.subarray(40 + four.length + 16)
    expect(other.subarray(0, 8).toString('hex')).toBe(`60000000${(8 + odd.length).toString(16).padStart(4, '0')}1140`)
    expect(sumOf(Buffer.concat([other.subarray(8, 40), length, other.subarray(40)]))).toBe(0xffff)
    expect(other.subarray(48)).toEqual(odd)
  })

  it('stores more messages than fit into one statement', async () => {
    const store = sqlCaptures(database, 0)
    const payload = Buffer.alloc(60_000, 'x')
    await store.add([
      ...Array.from({ length: 450 }, (_, index) => captured(`call ${index}`)),
      ...Array.from({ length: 60 }, (_, index) => captured(`large ${index % 20}`, { payload })),
    ])
    expect(await rows()).toBe(470)
    expect(await store.trace('large 19')).toMatchObject({ total: 3 })
  })

  const message = (callId: string, first: string, from: string, to: string, cseq: string) =>
    Buffer.from(
      `${first}\r\nCall-ID: ${callId}\r\nFrom: "Ann" <sip:${from}>;tag=1\r\nTo: <sip:${to}>\r\nCSeq: 1 ${cseq}\r\n\r\n`,
    )

  it('lists dialogues with their numbers and response, newest first', async () => {
    const store = sqlCaptures(database, 0)
    const [ann, desk] = ['+442079460123@acme.example.com', 'desk@acme.example.com']
    await store.add([
      captured('reg', {
        time,
        dialogue: 'register',
        payload: message('reg', `REGISTER sip:a SIP/2.0`, ann, ann, 'REGISTER'),
      }),
    ])
    await store.add([
      captured('call', { time, payload: message('call', `INVITE sip:${desk} SIP/2.0`, ann, desk, 'INVITE') }),
      captured('reg', {
        time: time + 1,
        dialogue: 'register',
        payload: message('reg', 'SIP/2.0 403 Forbidden', ann, ann, 'REGISTER'),
      }),
    ])
    const ids = async (options: CaptureListOptions) => (await store.list!(options)).data.map(({ call_id }) => call_id)
    expect(await store.list!({})).toEqual({
      data: expect.arrayContaining([
        {
          call_id: 'reg',
          method: 'REGISTER',
          from: ann,
          to: ann,
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
    expect(await ids({})).toHaveLength(2)
    expect(await ids({ dialogue: 'register' })).toEqual(['reg'])
    expect(await ids({ dialogue: 'invite' })).toEqual(['call'])
    expect(await ids({ text: 'DESK@' })).toEqual(['call'])
    expect((await ids({ text: '2079460123' })).toSorted()).toEqual(['call', 'reg'])
    expect((await ids({ text: '198.51.100.24:5060' })).toSorted()).toEqual(['call', 'reg'])
    expect(await ids({ text: 'nobody' })).toEqual([])
    expect(await ids({ text: 'reg', dialogue: 'register' })).toEqual(['reg'])
    expect(await ids({ text: 'reg', dialogue: 'invite' })).toEqual([])
  })

  it('lists each dialogue on exactly one page', async () => {
    let now = Date.parse('2026-03-01T12:00:00Z')
    const store = sqlCaptures(database, 2, () => now)
    await store.add(Array.from({ length: 120 }, (_, index) => captured(`call ${index}`)))
    const received: string[] = []
    let initialValue: string | undefined
    for (let page = 0; page < 3; page += 1) {
      const { data, next } = await store.list!(initialValue === undefined ? {} : { beforeSid: initialValue })
      received.push(...data.map(({ call_id }) => call_id))
      expect(next === null).toBe(page === 2)
      initialValue = next ?? undefined
    }
    expect(new Set(received).size).toBe(120)
    now += 3 * day
    expect(await store.list!({})).toEqual({ data: [], next: null })
  })

  it('hides and prunes captures after their retention period', async () => {
    let now = Date.parse('2026-03-01T12:00:00Z')
    const store = sqlCaptures(database, 2, () => now)
    await store.add(Array.from({ length: 700 }, (_, index) => captured(`old ${index}`)))
    now += 1.5 * day
    await store.add([captured('old 1')])
    expect(await store.trace('old 1')).toMatchObject({ total: 2 })
    now += day
    expect(await store.trace('old 1')).toMatchObject({ total: 1 })
    expect(await store.pcap('old 2', 'invite')).toBeUndefined()
    await store.prune()
    expect(await rows()).toBe(1)
    await sqlCaptures(database, 0, () => now + 4000 * day).prune()
    expect(await rows()).toBe(1)
  })
})

it('reports a full disk', async () => {
  const database = await fresh('sqlite')
  await sql`pragma max_page_count = 1`.execute(database.db)
  const payload = Buffer.alloc(60_000, 'x')
  await expect(sqlCaptures(database, 0).add([captured('1', { payload })])).rejects.toThrow(StorageFullError)
  await database.close()
})
