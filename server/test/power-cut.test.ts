import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_ACCOUNT } from '../src/db/seed-data'
import { hepOf, overTcp, talk } from './external/hep-agent'
import { bundled, start, stopAll, temporary } from './process'
import { account, jsonOf, jsonSpan } from './spans'

const { folder, remove } = temporary()
beforeAll(async () => void (await bundled()))
afterAll(() => {
  stopAll()
  remove()
})

let serial = 0
const fresh = () => join(folder, `data-${++serial}`)
const secrets = { JWT_SECRET: 'a secret', ENCRYPTION_SECRET: 'another' }

const INITIAL_ADMIN_API_KEY = '5f3c7b1e-2a4d-4c6f-8e9a-0b1c2d3e4f50'
const headers = { authorization: `Bearer ${INITIAL_ADMIN_API_KEY}` }

/**
 * Runs four concurrent writers, kills the server after 60 responses, and starts it again. Returns what the
 * acknowledged writes contained, and the URL of the new server.
 */
const cutOff = async (write: (address: string) => Promise<{ status: number; sent: string[] }>) => {
  const environment = {
    DATA_DIR: fresh(),
    INITIAL_ADMIN_API_KEY,
    ENABLE_INGEST: 'true',
    DISABLE_RATE_LIMITS: 'true',
    LOG_LEVEL: 'silent',
    ...secrets,
  }
  const first = start(environment)
  const address = await first.ready
  const acknowledged: string[] = []
  let responses = 0
  const work = async () => {
    for (;;) {
      const { status, sent } = await write(address)
      if (status < 300) acknowledged.push(...sent)
      responses += 1
      if (responses === 60) first.kill('SIGKILL')
    }
  }
  await Promise.allSettled([work(), work(), work(), work()])
  expect(await first.ended).toBe('SIGKILL')
  expect(responses).toBeGreaterThanOrEqual(60)
  const second = start(environment)
  return { acknowledged, address: await second.ready, second }
}

const read = async <Answer>(address: string, path: string) =>
  (await (await fetch(`${address}/v1/Accounts/${DEFAULT_ACCOUNT}/RecentCalls${path}`, { headers })).json()) as Answer

describe('after a SIGKILL during writes, a server has stored', () => {
  it('acknowledged call records, once each and counted', async () => {
    const write = async (address: string) => {
      const sent = Array.from({ length: 25 }, () => randomUUID())
      const now = Date.now()
      const lines = sent.map(
        (call_sid, index) =>
          `cdrs,account_sid=${DEFAULT_ACCOUNT},direction=inbound,answered=true call_sid="${call_sid}",duration=7 ${now + index}`,
      )
      const url = `${address}/write?db=cdrs&precision=ms`
      const { status } = await fetch(url, { method: 'POST', headers, body: lines.join('\n') })
      return { status, sent }
    }
    const { acknowledged, address, second } = await cutOff(write)
    const result: string[] = []
    for (let page = 1, total = 1; (page - 1) * 500 < total; page += 1) {
      const response = await read<{ total: number; data: { call_sid: string }[] }>(
        address,
        `?page=${page}&count=500&days=1`,
      )
      total = response.total
      result.push(...response.data.map(({ call_sid }) => call_sid))
      if ((page - 1) * 500 + response.data.length >= total) expect(result.length).toBe(total)
    }
    const stored = new Set(result)
    expect(stored.size).toBe(result.length)
    expect(acknowledged.filter((sid) => !stored.has(sid))).toEqual([])
    second.kill('SIGTERM')
    expect(await second.ended).toBe(0)
  })

  it('acknowledged spans', async () => {
    const write = async (address: string) => {
      const traceId = randomUUID().replaceAll('-', '')
      const { status } = await fetch(`${address}/v1/traces`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(jsonOf(jsonSpan(traceId, account(DEFAULT_ACCOUNT)))),
      })
      return { status, sent: [traceId] }
    }
    const { acknowledged, address, second } = await cutOff(write)
    expect(acknowledged.length).toBeGreaterThan(50)
    for (const traceId of acknowledged) {
      const { resourceSpans } = await read<{ resourceSpans?: unknown[] }>(address, `/trace/${traceId}`)
      expect(resourceSpans).toHaveLength(1)
    }
    second.kill('SIGTERM')
    expect(await second.ended).toBe(0)
  })

  it('written SIP messages', async () => {
    const DATA_DIR = fresh()
    const first = start({ DATA_DIR, HEP_PORT: '0', LOG_LEVEL: 'silent', ...secrets })
    await first.ready
    const port = Number(/Captured SIP messages at 127\.0\.0\.1:(\d+),/.exec(first.stdout())?.[1])
    const openStore = () => new Sqlite(join(DATA_DIR, 'trunkline.sqlite'), { readonly: true })
    const readStored = () => {
      const database = openStore()
      const { parts } = database.prepare('select count(*) as parts from trunkline_capture_parts').get() as {
        parts: number
      }
      database.close()
      return parts
    }
    const socket = await overTcp(port)
    // The killed server does not close its connections.
    socket.on('error', () => undefined)
    let calls = 0
    let initialValue = 0
    while (initialValue < 200) {
      const messages = Array.from({ length: 50 }, () => talk({ callId: `${++calls}@host`, start: calls * 1e6 })).flat()
      socket.write(Buffer.concat(messages.map(hepOf)))
      await new Promise((next) => setTimeout(next, 20))
      initialValue = readStored()
    }
    first.kill('SIGKILL')
    await first.ended
    socket.destroy()
    expect(readStored()).toBeGreaterThanOrEqual(initialValue)
    const database = openStore()
    expect(database.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
    database.close()
    const second = start({ DATA_DIR, HEP_PORT: String(port), LOG_LEVEL: 'silent', ...secrets })
    await second.ready
    second.kill('SIGTERM')
    expect(await second.ended).toBe(0)
  })

  it('acknowledged changes', async () => {
    let created = 0
    const write = async (address: string) => {
      const reply = await fetch(`${address}/v1/ServiceProviders`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `provider ${++created}` }),
      })
      const { sid } = (await reply.json()) as { sid: string }
      return { status: reply.status, sent: [sid] }
    }
    const { acknowledged, address, second } = await cutOff(write)
    const rows = (await (await fetch(`${address}/v1/ServiceProviders`, { headers })).json()) as {
      service_provider_sid: string
    }[]
    const stored = new Set(rows.map(({ service_provider_sid }) => service_provider_sid))
    expect(acknowledged.filter((sid) => !stored.has(sid))).toEqual([])
    second.kill('SIGTERM')
    expect(await second.ended).toBe(0)
  })
})
