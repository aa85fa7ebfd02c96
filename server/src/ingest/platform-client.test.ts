import timeSeries from '@jambonz/time-series'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiClient } from '../../test/api-client'
import { startBackend, type Backend } from '../../test/backend'
import { buildIngestApp } from '../composition/ingest-app'
import { readConfig } from '../config/config'

describe('the port without keys', () => {
  let backend: Backend
  let app: FastifyInstance
  const appOptions = () => ({
    config: readConfig({ JWT_SECRET: 'a secret', ENCRYPTION_SECRET: 'b', DATA_DIR: '/tmp', LOG_LEVEL: 'silent' }),
    consoleFolder: '/nowhere',
    version: '0',
  })
  beforeAll(async () => {
    backend = await startBackend()
    app = await buildIngestApp({ ...appOptions(), services: backend.services })
    await app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(async () => {
    await app.close()
    await backend.close()
  })

  it("serves the platform's own client library", async () => {
    const { port } = app.server.address() as { port: number }
    const { acme, providers } = backend.testData
    const { writeCdrs, writeAlerts, AlertType } = timeSeries({}, { host: '127.0.0.1', port })
    const attempted_at = new Date(Date.now() - 60_000)
    await writeCdrs({
      account_sid: acme.account,
      service_provider_sid: providers.north,
      direction: 'outbound',
      host: '10.0.0.9',
      trunk: 'my carrier, the "best"',
      answered: true,
      attempted_at,
      call_sid: 'c-1',
      from: '+1 555',
      to: 'sip:a@b;x="1"',
      sip_callid: 'abc@host',
      sip_status: 200,
      duration: 12,
      answered_at: Date.now() - 50_000,
      terminated_at: Date.now(),
      termination_reason: 'caller hungup',
    })
    await writeAlerts({
      alert_type: AlertType.WEBHOOK_STATUS_FAILURE,
      service_provider_sid: providers.north,
      account_sid: acme.account,
      url: 'http://foo.bar',
      status: 404,
      detail: 'more, "of" it',
    })
    const requestAsAcme = createApiClient(backend.app, backend.testData.keys.acme)
    const calls = await requestAsAcme('GET', `/Accounts/${acme.account}/RecentCalls?page=1&count=25&days=1`)
    expect(calls.body).toMatchObject({
      total: 1,
      page: '1',
      page_size: '25',
      data: [
        {
          attempted_at: attempted_at.toISOString(),
          answered: true,
          direction: 'outbound',
          trunk: 'my carrier, the "best"',
          to: 'sip:a@b;x="1"',
          sip_status: 200,
          duration: 12,
        },
      ],
    })
    const alerts = await requestAsAcme('GET', `/Accounts/${acme.account}/Alerts?page=1&count=25&days=1`)
    expect(alerts.body).toMatchObject({
      total: 1,
      data: [{ alert_type: 'webhook-failure', message: 'http://foo.bar returned 404', detail: 'more, "of" it' }],
    })
  })
})
