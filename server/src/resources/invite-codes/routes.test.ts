import { afterEach, describe, expect, it } from 'vitest'
import { createClients } from '../../../test/api-client'
import { databaseEngines } from '../../../test/databases'
import { startHostedBackend, type HostedBackend } from '../../../test/hosted-backend'

describe.each(databaseEngines)('invite codes (%s)', (databaseEngine) => {
  let backend: HostedBackend
  afterEach(() => backend.close())

  it('are created by administrators', async () => {
    backend = await startHostedBackend({ databaseEngine })
    const { users, keys } = await createClients(backend)
    const { status, body } = await users.admin('POST', '/BetaInviteCodes', { count: 300 })
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'ok', added: 300 } })
    expect(new Set(body.codes).size).toBe(300)
    for (const code of body.codes) expect(code).toMatch(/^[0-9ABCXZ]{6}$/)
    expect((await keys.admin('POST', '/BetaInviteCodes')).body).toMatchObject({ added: 1 })
    for (const client of [users.north, users.acme, keys.north])
      expect(await client('POST', '/BetaInviteCodes', {})).toMatchObject({
        status: 403,
        body: { status: 'fail', message: 'insufficient privileges' },
      })
    for (const count of [0, -1, 1.5, 1001, '5', null])
      expect(await users.admin('POST', '/BetaInviteCodes', { count })).toMatchObject({ status: 400 })
  })

  it('are used once', async () => {
    backend = await startHostedBackend({ databaseEngine })
    const { users } = await createClients(backend)
    const { body } = await users.admin('POST', '/BetaInviteCodes', {})
    const [code] = body.codes
    const send = (draft: object) => backend.anonymousClient('POST', '/InviteCodes', draft)
    const unknown = { status: 404, body: 'Not Found' }
    for (const draft of [{}, { code: null }, { code: '' }, { code: 'QQQQQQ' }, { code: '1'.repeat(99) }, { code: {} }])
      expect(await send(draft)).toMatchObject(unknown)
    expect(await send({ code, test: true })).toMatchObject({ status: 204, body: undefined })
    const statuses = (await Promise.all([send({ code }), send({ code })])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([204, 404])
    expect(await send({ code, test: true })).toMatchObject(unknown)
  })

  it('cannot be guessed without limit', async () => {
    backend = await startHostedBackend({ databaseEngine, config: { rateLimit: { max: 100_000, minutes: 1 } } })
    const statuses = []
    for (let count = 0; count < 21; count += 1)
      statuses.push((await backend.anonymousClient('POST', '/InviteCodes', { code: 'QQQQQQ', test: true })).status)
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 404), 429])
  })
})
