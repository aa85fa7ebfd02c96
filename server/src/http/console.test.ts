import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../composition/app'
import { readConfig } from '../config/config'

let folder: string
let app: FastifyInstance
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trunkline-console-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><head><title>Trunkline</title><script src="/boot.js"></script></head>',
  )
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
  writeFileSync(join(folder, 'boot.js'), 'apply()')
  writeFileSync(join(folder, 'assets', 'main-1234.js'), 'console.log(1)')
  writeFileSync(join(folder, 'assets', 'main-1234.js.gz'), gzipSync('console.log(1)'))
  const config = readConfig({
    API_BASE_URL: 'https://api.example.com/api/v1/',
    RECORDING_ORIGINS: 'https://recordings.example.com/',
    LOG_LEVEL: 'silent',
    DISABLE_LCR: 'true',
    CONSOLE_NOTICE: 'Down at 9 </script><script>alert(1)</script>',
  })
  app = await buildApp({ config, consoleFolder: folder, version: '0' })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const htmlHeaders = { accept: 'text/html,application/xhtml+xml' }

describe('the console', () => {
  it('is revalidated each time, except its hashed files and its icon', async () => {
    expect(await app.inject('/')).toMatchObject({ statusCode: 200, headers: { 'cache-control': 'no-cache' } })
    const script = await app.inject('/assets/main-1234.js')
    expect(script).toMatchObject({ statusCode: 200, body: 'console.log(1)' })
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await app.inject('/favicon.svg')).headers['cache-control']).toBe('public, max-age=86400')
    expect((await app.inject('/boot.js')).headers['cache-control']).toBe('no-cache')
  })

  it('is served precompressed', async () => {
    const script = await app.inject({ url: '/assets/main-1234.js', headers: { 'accept-encoding': 'gzip' } })
    expect(script.headers['content-encoding']).toBe('gzip')
    expect(script.rawPayload.equals(gzipSync('console.log(1)'))).toBe(true)
  })

  it('serves its page for the URL of every screen', async () => {
    const call = '/internal/recent-calls/c1%202026-11-28T21%3A22%3A51.481Z'
    for (const url of ['/internal/accounts', call, '/login?x=1', '/nothing'])
      expect(await app.inject({ url, headers: htmlHeaders })).toMatchObject({
        statusCode: 200,
        body: expect.stringContaining('Trunkline'),
      })
  })

  it('finds the settings that differ from the defaults in its page, before its scripts', async () => {
    const { body } = await app.inject('/')
    const json = /<script id="settings" type="application\/json">(.*?)<\/script>\s*<script src="\/boot.js">/s.exec(
      body,
    )?.[1]
    expect(JSON.parse(json!)).toEqual({
      apiBaseUrl: 'https://api.example.com/api/v1',
      recordingOrigins: ['https://recordings.example.com'],
      leastCostRouting: false,
      notice: 'Down at 9 </script><script>alert(1)</script>',
    })
    expect(json).not.toContain('<')
  })

  it('is not readable by pages of other origins', async () => {
    const { headers } = await app.inject({ url: '/', headers: { origin: 'https://example.com' } })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('does not serve its page for API requests, files and other clients', async () => {
    for (const url of ['/v1/Accounts', '/V1/Accounts', '//v1/Accounts', '/assets/gone.js', '/.env'])
      expect(await app.inject({ url, headers: htmlHeaders })).toMatchObject({ statusCode: 404, body: 'Not Found' })
    expect(await app.inject('/internal/accounts')).toMatchObject({ statusCode: 404 })
    expect(await app.inject({ method: 'POST', url: '/internal/accounts', headers: htmlHeaders })).toMatchObject({
      statusCode: 404,
    })
    expect((await app.inject({ url: '/assets/..%2f..%2f..%2fetc%2fpasswd', headers: htmlHeaders })).body).not.toContain(
      'root:',
    )
    for (const url of ['/assets/..%2findex.html', '/assets/%00', '/assets/..%5cboot.js'])
      expect(await app.inject(url)).toMatchObject({ statusCode: 404, body: 'Not Found' })
  })

  it('needs one route for all files of a folder', () => {
    expect(app.hasRoute({ method: 'GET', url: '/assets/*' })).toBe(true)
    expect(app.hasRoute({ method: 'GET', url: '/assets/main-1234.js' })).toBe(false)
  })

  it('loads its settings, and may send requests only to its API', async () => {
    const { headers, body } = await app.inject('/config.json')
    expect(headers['cache-control']).toBe('no-store')
    expect(JSON.parse(body)).toMatchObject({ apiBaseUrl: 'https://api.example.com/api/v1', leastCostRouting: false })
    expect((await app.inject('/')).headers['content-security-policy']).toContain(
      "connect-src 'self' https://api.example.com https://recordings.example.com;",
    )
    expect((await app.inject('/')).headers['content-security-policy']).toContain("media-src 'self' blob: http: https:;")
    expect(await app.inject('/healthz')).toMatchObject({ statusCode: 200 })
  })
})
