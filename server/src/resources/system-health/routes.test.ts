import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SystemHealth } from '@trunkline/contract/shapes/system-health'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, type ApiClient } from '../../../test/api-client'
import { createJaegerTraces } from '../../adapters/traces/jaeger'

const closedPort = 1

describe.each(databaseEngines)('system health (%s)', (databaseEngine) => {
  let backend: Backend
  let adminClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend({
      databaseEngine,
      config: {
        warnings: ['TRUST_PROXY is not set.'],
        mail: { url: `smtp://user:hidden-password@127.0.0.1:${closedPort}`, from: 'no-reply@example.com' },
      },
      externalServices: { traces: createJaegerTraces(`http://127.0.0.1:${closedPort}`) },
    })
    adminClient = createApiClient(backend.app, backend.testData.keys.admin)
  })
  afterAll(() => backend.close())

  const read = async () => {
    const { status, body } = await adminClient('GET', '/SystemHealth')
    expect(status).toBe(200)
    return body as unknown as SystemHealth
  }

  it('reports each check with its status, and how to repair what is wrong', async () => {
    const { version, checked_at, checks } = await read()
    expect(version).toBe('0.0.0')
    expect(Date.now() - Date.parse(checked_at)).toBeLessThan(60_000)
    expect(checks.map(({ name, status }) => [name, status])).toEqual([
      ['Settings', 'warning'],
      ['Database', 'passed'],
      ['Tables', 'passed'],
      ['Privileges', 'passed'],
      ['Clock', 'passed'],
      ['Secrets', expect.any(String)],
      ['Data folder', 'passed'],
      ['Jaeger', 'failed'],
      ['Mail server', 'failed'],
      ['Buckets', 'passed'],
    ])
    expect(checks.find(({ name }) => name === 'Jaeger')?.findings).toMatchObject([
      { status: 'failed', repair: 'Check JAEGER_URL, and that Jaeger is running.' },
    ])
  })

  it('contains no secret', async () => {
    const text = JSON.stringify(await read())
    for (const secret of ['hidden-password', 'test jwt secret', 'test encryption secret'])
      expect(text).not.toContain(secret)
  })

  it('answers a second request with the same results', async () => {
    expect((await read()).checked_at).toBe((await read()).checked_at)
  })
})
