import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { databaseEngines } from '../../test/databases'
import { createApiClient } from '../../test/api-client'
import { PointsRejectedError, type CallHistory } from '../ports/call-history'

const config = { ingest: { acceptsApiKeys: true, host: '127.0.0.1' } }

const createWriter = (backend: Backend) => async (payload: string) => {
  const response = await backend.app.inject({
    method: 'POST',
    url: '/write?db=cdrs',
    headers: { authorization: `Bearer ${backend.testData.keys.acme}` },
    payload,
  })
  return { status: response.statusCode, error: response.body === '' ? '' : response.json<{ error: string }>().error }
}

describe.each(databaseEngines)('many lines in one request (%s)', (databaseEngine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine, config })
  })
  afterAll(() => backend.close())

  it('are all stored, including those without a time', async () => {
    const write = createWriter(backend)
    const lines = Array.from({ length: 2500 }, (_, index) => `cdrs from="${index}"`).join('\n')
    expect(await Promise.all([write(lines), write(lines)])).toEqual([
      { status: 204, error: '' },
      { status: 204, error: '' },
    ])
    const path = `/Accounts/${backend.testData.acme.account}/RecentCalls?page=1&count=1`
    const { body } = await createApiClient(backend.app, backend.testData.keys.acme)('GET', path)
    expect(body.total).toBe(5000)
  })
})

describe('a large body', () => {
  const startBackendWithStore = (write: CallHistory['writePoints']) =>
    startBackend({ config, externalServices: { callHistory: { writePoints: write } as unknown as CallHistory } })

  it.each([
    ['cannot be read', 'x\n', 400],
    ['is empty', '\n', 204],
    ['can be read', 'cdrs f=1\n', 204],
  ])('does not block other requests while it %s', async (_, line, status) => {
    const backend = await startBackendWithStore(() => Promise.resolve())
    let isFinished = false
    const writePromise = createWriter(backend)(line.repeat(100_000)).finally(() => (isFinished = true))
    let pingCount = 0
    for (; !isFinished; pingCount += 1) {
      await backend.app.inject('/ping')
      await yieldToEventLoop()
    }
    expect((await writePromise).status).toBe(status)
    expect(pingCount).toBeGreaterThan(20)
    await backend.close()
  })

  it('gets a response with the first errors and the number of others', async () => {
    const backend = await startBackendWithStore(() => Promise.resolve())
    const { status, error } = await createWriter(backend)('cdrs f=1\nx\n'.repeat(2000))
    expect(status).toBe(400)
    expect(error).toMatch(/^partial write: unable to parse line 2 'x': missing fields\n/)
    expect(error).toMatch(/line 20 'x': missing fields\nand 1990 more dropped=0$/)
    await backend.close()
  })
})

it('reports the line that a store rejects', async () => {
  const rejectPoints = () => Promise.reject(new PointsRejectedError('it is text'))
  const backend = await startBackend({
    config,
    externalServices: { callHistory: { writePoints: rejectPoints } as unknown as CallHistory },
  })
  const write = createWriter(backend)
  expect(await write('\ncdrs f=1')).toEqual({ status: 400, error: 'partial write: line 2: it is text dropped=1' })
  const { error } = await write('cdrs f=1\ncdrs f=2')
  expect(error).toBe('partial write: lines 1 to 2, some of which were stored: it is text dropped=1')
  expect(backend.log()).not.toContain('write failed')
  await backend.close()
})
