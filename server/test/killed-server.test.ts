import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultAccountSid } from '../src/db/seed-data'
import { Sqlite } from '../src/db/sqlite-driver'
import { hepPacketOf, connectOverTcp, buildDialog } from './external/hep-agent'
import { bundleServer, startProcess, killAllServers, createTemporaryFolder } from './process'
import { accountAttribute, buildTraceJson, buildSpanJson } from './spans'

const { folder, remove } = createTemporaryFolder()
beforeAll(bundleServer)
afterAll(() => {
  killAllServers()
  remove()
})

let folderCount = 0
const newDataFolder = () => join(folder, `data-${++folderCount}`)
const secrets = { JWT_SECRET: 'a secret', ENCRYPTION_SECRET: 'another' }

const INITIAL_ADMIN_API_KEY = '5f3c7b1e-2a4d-4c6f-8e9a-0b1c2d3e4f50'
const headers = { authorization: `Bearer ${INITIAL_ADMIN_API_KEY}` }

/**
 * Runs four concurrent writers, kills the server after 60 responses, and starts it again. Returns the IDs of the
 * acknowledged writes, and the restarted server with its URL.
 */
const killDuringWrites = async (write: (address: string) => Promise<{ status: number; writtenIds: string[] }>) => {
  const environment = {
    DATA_DIR: newDataFolder(),
    INITIAL_ADMIN_API_KEY,
    ENABLE_INGEST: 'true',
    DISABLE_RATE_LIMITS: 'true',
    LOG_LEVEL: 'silent',
    ...secrets,
  }
  const killedServer = startProcess(environment)
  const address = await killedServer.ready
  const acknowledgedIds: string[] = []
  let responseCount = 0
  const writeRepeatedly = async () => {
    for (;;) {
      const { status, writtenIds } = await write(address)
      if (status < 300) acknowledgedIds.push(...writtenIds)
      responseCount += 1
      if (responseCount === 60) killedServer.kill('SIGKILL')
    }
  }
  await Promise.allSettled([writeRepeatedly(), writeRepeatedly(), writeRepeatedly(), writeRepeatedly()])
  expect(await killedServer.exitStatus).toBe('SIGKILL')
  expect(responseCount).toBeGreaterThanOrEqual(60)
  expect(acknowledgedIds.length).toBeGreaterThan(50)
  const restartedServer = startProcess(environment)
  return { acknowledgedIds, address: await restartedServer.ready, restartedServer }
}

const readRecentCalls = async <Body>(address: string, path: string) =>
  (await (await fetch(`${address}/v1/Accounts/${defaultAccountSid}/RecentCalls${path}`, { headers })).json()) as Body

describe('after a SIGKILL during writes, a server has stored', () => {
  it('acknowledged call records, once each and counted', async () => {
    const write = async (address: string) => {
      const writtenIds = Array.from({ length: 25 }, () => randomUUID())
      const now = Date.now()
      const lines = writtenIds.map(
        (call_sid, index) =>
          `cdrs,account_sid=${defaultAccountSid},direction=inbound,answered=true call_sid="${call_sid}",duration=7 ${now + index}`,
      )
      const url = `${address}/write?db=cdrs&precision=ms`
      const { status } = await fetch(url, { method: 'POST', headers, body: lines.join('\n') })
      return { status, writtenIds }
    }
    const { acknowledgedIds, address, restartedServer } = await killDuringWrites(write)
    const storedSids: string[] = []
    for (let page = 1, total = 1; (page - 1) * 500 < total; page += 1) {
      const response = await readRecentCalls<{ total: number; data: { call_sid: string }[] }>(
        address,
        `?page=${page}&count=500&days=1`,
      )
      total = response.total
      storedSids.push(...response.data.map(({ call_sid }) => call_sid))
      if ((page - 1) * 500 + response.data.length >= total) expect(storedSids.length).toBe(total)
    }
    const uniqueSids = new Set(storedSids)
    expect(uniqueSids.size).toBe(storedSids.length)
    expect(acknowledgedIds.filter((sid) => !uniqueSids.has(sid))).toEqual([])
    restartedServer.kill('SIGTERM')
    expect(await restartedServer.exitStatus).toBe(0)
  })

  it('acknowledged spans', async () => {
    const write = async (address: string) => {
      const traceId = randomUUID().replaceAll('-', '')
      const { status } = await fetch(`${address}/v1/traces`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(buildTraceJson(buildSpanJson(traceId, accountAttribute(defaultAccountSid)))),
      })
      return { status, writtenIds: [traceId] }
    }
    const { acknowledgedIds, address, restartedServer } = await killDuringWrites(write)
    for (const traceId of acknowledgedIds) {
      const { resourceSpans } = await readRecentCalls<{ resourceSpans?: unknown[] }>(address, `/trace/${traceId}`)
      expect(resourceSpans).toHaveLength(1)
    }
    restartedServer.kill('SIGTERM')
    expect(await restartedServer.exitStatus).toBe(0)
  })

  it('written SIP messages', async () => {
    const DATA_DIR = newDataFolder()
    const killedServer = startProcess({ DATA_DIR, HEP_PORT: '0', LOG_LEVEL: 'silent', ...secrets })
    await killedServer.ready
    const port = Number(
      /captured SIP messages \(HEP over UDP and TCP\) at 127\.0\.0\.1:(\d+)/.exec(killedServer.stdout())?.[1],
    )
    const openDatabaseFile = () => new Sqlite(join(DATA_DIR, 'trunkline.sqlite'), { readonly: true })
    const countStoredParts = () => {
      const database = openDatabaseFile()
      const { parts } = database.prepare('select count(*) as parts from trunkline_capture_parts').get() as {
        parts: number
      }
      database.close()
      return parts
    }
    const socket = await connectOverTcp(port)
    // The killed server does not close its connections.
    socket.on('error', () => undefined)
    let callCount = 0
    let storedParts = 0
    while (storedParts < 200) {
      const messages = Array.from({ length: 50 }, () =>
        buildDialog({ callId: `${++callCount}@host`, startUs: callCount * 1e6 }),
      ).flat()
      socket.write(Buffer.concat(messages.map(hepPacketOf)))
      await delay(20)
      storedParts = countStoredParts()
    }
    killedServer.kill('SIGKILL')
    await killedServer.exitStatus
    socket.destroy()
    expect(countStoredParts()).toBeGreaterThanOrEqual(storedParts)
    const database = openDatabaseFile()
    expect(database.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
    database.close()
    const restartedServer = startProcess({ DATA_DIR, HEP_PORT: String(port), LOG_LEVEL: 'silent', ...secrets })
    await restartedServer.ready
    restartedServer.kill('SIGTERM')
    expect(await restartedServer.exitStatus).toBe(0)
  })

  it('acknowledged changes', async () => {
    let providerCount = 0
    const write = async (address: string) => {
      const response = await fetch(`${address}/v1/ServiceProviders`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `provider ${++providerCount}` }),
      })
      const { sid } = (await response.json()) as { sid: string }
      return { status: response.status, writtenIds: [sid] }
    }
    const { acknowledgedIds, address, restartedServer } = await killDuringWrites(write)
    const rows = (await (await fetch(`${address}/v1/ServiceProviders`, { headers })).json()) as {
      service_provider_sid: string
    }[]
    const storedSids = new Set(rows.map(({ service_provider_sid }) => service_provider_sid))
    expect(acknowledgedIds.filter((sid) => !storedSids.has(sid))).toEqual([])
    restartedServer.kill('SIGTERM')
    expect(await restartedServer.exitStatus).toBe(0)
  })
})
