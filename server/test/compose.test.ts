import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, it, onTestFinished } from 'vitest'
import { buildApp } from '../src/composition/app'
import { compose } from '../src/composition/compose'
import { readConfig } from '../src/config/config'
import { createMetrics } from '../src/metrics/metrics'

it('uses FEATURE_SERVER_URL as the only feature server without Redis', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-compose-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const composition = await compose(readConfig({ DATA_DIR: folder, FEATURE_SERVER_URL: 'http://127.0.0.1:3001' }), {
    logError: (message) => expect.fail(message),
  })
  onTestFinished(() => composition.close())
  expect(await composition.services.livePlatform.listFeatureServers()).toEqual(['http://127.0.0.1:3001'])
})

it('sends mail in the hosted edition even if passwords cannot be reset by mail', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-compose-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const config = readConfig({
    DATA_DIR: folder,
    ENABLE_HOSTED_SYSTEM: 'true',
    ENABLE_FORGOT_PASSWORD: 'false',
    TERMS_URL: 'https://example.com/terms',
    PRIVACY_URL: 'https://example.com/privacy',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'no-reply@example.com',
    LOG_LEVEL: 'silent',
  })
  const composition = await compose(config, { logError: (message) => expect.fail(message) })
  onTestFinished(() => composition.close())
  const { services } = composition
  expect(services.outbox.isEnabled).toBe(true)
  const app = await buildApp({ config, services, consoleFolder: folder, version: '0' })
  onTestFinished(() => app.close())
  const send = async (url: string) => (await app.inject({ method: 'POST', url, payload: {} })).statusCode
  expect(await send('/v1/forgot-password')).toBe(404)
  expect(await send('/v1/signin')).toBe(400)
  expect(await send('/v1/register')).toBe(400)
})

it('warns in the hosted edition if nobody can register', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-compose-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const environment = {
    DATA_DIR: folder,
    ENABLE_HOSTED_SYSTEM: 'true',
    TERMS_URL: 'https://example.com/terms',
    PRIVACY_URL: 'https://example.com/privacy',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'no-reply@example.com',
  }
  const readWarnings = async (
    settings: Record<string, string>,
    change?: (composition: Awaited<ReturnType<typeof compose>>) => Promise<unknown>,
  ) => {
    const composition = await compose(readConfig({ ...environment, ...settings }), {
      logError: (message) => expect.fail(message),
    })
    const warnings = await composition.findWarnings()
    await change?.(composition)
    await composition.close()
    return warnings
  }
  const noDomain = [expect.stringContaining('has no root domain, so nobody can register')]
  expect(
    await readWarnings({}, ({ services: { store } }) =>
      store.database.db.updateTable('service_providers').set({ root_domain: 'sip.example.com' }).execute(),
    ),
  ).toEqual(noDomain)
  expect(await readWarnings({})).toEqual([])
  const dns = { DNS_MADE_EASY_API_KEY: 'key', DNS_MADE_EASY_API_SECRET: 'secret' }
  expect(await readWarnings(dns)).toEqual([expect.stringContaining('no SBC with an IPv4 address')])
  const unknownSid = '11111111-1111-4111-8111-111111111111'
  expect(await readWarnings({ DEFAULT_SERVICE_PROVIDER_SID: unknownSid })).toEqual([
    `DEFAULT_SERVICE_PROVIDER_SID ${unknownSid} is not a service provider, so nobody can register.`,
  ])
})

it('logs no error if a file of the console does not exist', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-compose-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><head></head>')
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'warn' })
  const composition = await compose(config, { logError: (message) => expect.fail(message) })
  onTestFinished(() => composition.close())
  const logStream = new PassThrough()
  const { services } = composition
  const app = await buildApp({ config, services, consoleFolder: folder, version: '0', logStream })
  onTestFinished(() => app.close())
  expect(await app.inject('/favicon.ico')).toMatchObject({ statusCode: 404, body: 'Not Found' })
  expect(String(logStream.read() ?? '')).toBe('')
})

it('measures the queues and the background jobs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-compose-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const metrics = createMetrics('0.0.0')
  const composition = await compose(readConfig({ DATA_DIR: folder }), {
    logError: (message) => expect.fail(message),
    metrics,
  })
  onTestFinished(() => composition.close())
  await expect
    .poll(metrics.format, { timeout: 10_000 })
    .toContain('trunkline_job_duration_seconds_count{task="recordings"} 1\n')
  const text = await metrics.format()
  expect(text).toMatch(/trunkline_job_last_success_timestamp_seconds{task="pruning"} \d+/)
  for (const queue of ['points', 'trace_bytes', 'passwords']) expect(text).toContain(`trunkline_${queue}_waiting 0\n`)
})
