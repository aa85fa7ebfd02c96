import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { WebSocket } from 'ws'
import { buildIngestApp } from '../composition/ingest-app'
import { readConfig } from '../config/config'
import { startBackend, type Backend } from '../../test/backend'
import { listen } from '../../test/raw-request'
import { isSocketFromWebPage } from './browser-requests'

describe('the port without keys', () => {
  let backend: Backend
  let app: FastifyInstance
  let port: number
  beforeAll(async () => {
    backend = await startBackend()
    const config = { ...readConfig({ JWT_SECRET: 'test jwt secret', DATA_DIR: '/tmp' }), logLevel: 'silent' as const }
    app = await buildIngestApp({ config, services: backend.services, consoleFolder: '/none', version: '0' })
    port = await listen(app)
  })
  afterAll(async () => {
    await app.close()
    await backend.close()
  })

  const write = (headers: Record<string, string>) =>
    app.inject({
      method: 'POST',
      url: '/write?db=cdrs&precision=ms',
      headers: { 'content-type': 'text/plain', ...headers },
      payload: `cdrs,account_sid=${backend.testData.accounts.acme},answered=true call_sid="x",from="1",to="2",duration=1 1`,
    })

  it('refuses requests of web pages', async () => {
    const pages: Record<string, string>[] = [
      { origin: 'https://evil.example.com' },
      { origin: 'null' },
      { origin: `http://127.0.0.1:${port}` },
      { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' },
    ]
    for (const headers of pages) expect((await write(headers)).statusCode).toBe(403)
    expect((await write({})).statusCode).toBe(204)
    expect((await write({ 'user-agent': 'node' })).statusCode).toBe(204)
  })

  const openWebSocket = (headers: Record<string, string>) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/record/`, { headers })
      socket.once('open', () => {
        socket.close()
        resolve('open')
      })
      socket.once('error', (error) => resolve(error.message))
    })

  it('accepts WebSockets of media servers, whose origin is the host they connect to, and none of web pages', async () => {
    expect(await openWebSocket({})).toBe('open')
    expect(await openWebSocket({ origin: 'http://127.0.0.1' })).toBe('open')
    expect(await openWebSocket({ origin: 'https://evil.example.com' })).toContain('403')
    expect(await openWebSocket({ origin: 'http://127.0.0.1', 'user-agent': 'Mozilla/5.0' })).toContain('403')
  })

  it('compares host names literally', () => {
    const headers = { origin: 'http://[fd00::1]', host: '[fd00::1]:8086' }
    expect(isSocketFromWebPage(headers)).toBe(false)
    expect(isSocketFromWebPage({ ...headers, origin: 'null' })).toBe(true)
  })
})
