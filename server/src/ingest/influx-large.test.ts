import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { engines } from '../../test/engines'
import { apiClient } from '../../test/speak'
import { PointsRejectedError, type CallHistory } from '../ports/call-history'

const config = { ingest: { byKey: true, host: '127.0.0.1' } }

const writer = (backend: Backend) => async (payload: string) => {
  const response = await backend.app.inject({
    method: 'POST',
    url: '/write?db=cdrs',
    headers: { authorization: `Bearer ${backend.world.keys.acme}` },
    payload,
  })
  return { status: response.statusCode, error: response.body === '' ? '' : response.json<{ error: string }>().error }
}

describe.each(engines)('many lines in one request (%s)', (engine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ engine, config })
  })
  afterAll(() => backend.close())

  it('are all stored, including those without a time', async () => {
    const write = writer(backend)
    const lines = Array.from({ length: 2500 }, (_, index) => `cdrs from="${index}"`).join('\n')
    expect(await Promise.all([write(lines), write(lines)])).toEqual([
      { status: 204, error: '' },
      { status: 204, error: '' },
    ])
    const path = `/Accounts/${backend.world.acme.account}/RecentCalls?page=1&count=1`
    const { body } = await apiClient(backend.app, backend.world.keys.acme)('GET', path)
    expect(body.total).toBe(5000)
  })
})

describe('a large body', () => {
  const keeping = (write: CallHistory['write']) =>
    startBackend({ config, outside: { callHistory: { write } as unknown as CallHistory } })

  it.each([
    ['cannot be read', 'x\n', 400],
    ['is empty', '\n', 204],
    ['can be read', 'cdrs f=1\n', 204],
  ])('does not block other requests while it %s', async (_, line, status) => {
    const backend = await keeping(() => Promise.resolve())
    let over = false
    const written = writer(backend)(line.repeat(100_000)).finally(() => (over = true))
    let answered = 0
    for (; !over; answered += 1) {
      await backend.app.inject('/ping')
      await turn()
    }
    expect((await written).status).toBe(status)
    expect(answered).toBeGreaterThan(20)
    await backend.close()
  })

  it('is answered with the first errors and the number of others', async () => {
    const backend = await keeping(() => Promise.resolve())
    const { status, error } = await writer(backend)('cdrs f=1\nx\n'.repeat(2000))
    expect(status).toBe(400)
    expect(error).toMatch(/^partial write: unable to parse line 2 'x': missing fields\n/)
    expect(error).toMatch(/line 20 'x': missing fields\nand 1990 more dropped=0$/)
    await backend.close()
  })
})

it('reports the line that a store rejects', async () => {
  const refuse = () => Promise.reject(new PointsRejectedError('it is a text'))
  const backend = await startBackend({ config, outside: { callHistory: { write: refuse } as unknown as CallHistory } })
  const write = writer(backend)
  expect(await write('\ncdrs f=1')).toEqual({ status: 400, error: 'partial write: line 2: it is a text dropped=1' })
  const { error } = await write('cdrs f=1\ncdrs f=2')
  expect(error).toBe('partial write: lines 1 to 2, some of which were stored: it is a text dropped=1')
  expect(backend.log()).not.toContain('write failed')
  await backend.close()
})
