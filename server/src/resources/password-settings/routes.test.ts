import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'

describe.each(engines)('the password rule (%s)', (engine) => {
  let backend: Backend
  let admin: ApiClient
  let acme: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ engine })
    admin = apiClient(backend.app, backend.world.keys.admin)
    acme = apiClient(backend.app, backend.world.keys.acme)
  })
  afterAll(() => backend.close())

  const path = '/PasswordSettings'
  const rows = () => backend.database.db.selectFrom('password_settings').selectAll().execute()

  it('is the default until set, and a single row after parallel requests', async () => {
    await backend.database.db.deleteFrom('password_settings').execute()
    expect(await acme('GET', path)).toMatchObject({ status: 200, body: { min_password_length: 8 } })
    await Promise.all([9, 10, 11, 12].map((min_password_length) => admin('POST', path, { min_password_length })))
    expect(await rows()).toHaveLength(1)
  })

  it('is updated field by field', async () => {
    const complete = { min_password_length: 20, require_digit: true, require_special_character: 0 }
    expect(await admin('POST', path, complete)).toMatchObject({ status: 201, body: {} })
    expect(await admin('POST', path, { require_special_character: 1 })).toMatchObject({ status: 201 })
    expect(await admin('POST', path, {})).toMatchObject({ status: 201 })
    expect((await acme('GET', path)).body).toEqual({
      min_password_length: 20,
      require_digit: 1,
      require_special_character: 1,
    })
  })

  it.each([
    [{ min_password_length: 7 }, 'min_password_length'],
    [{ min_password_length: 21 }, 'min_password_length'],
    [{ min_password_length: 8.5 }, 'min_password_length'],
    [{ min_password_length: '12' }, 'min_password_length'],
    [{ min_password_length: null }, 'min_password_length'],
    [{ require_digit: 2 }, 'require_digit'],
    [{ require_special_character: 'yes' }, 'require_special_character'],
    [{ require_emoji: 1 }, 'require_emoji'],
  ])('refuses %j', async (body, field) => {
    const initialSnapshot = await snapshot(backend.database)
    const reply = await admin('POST', path, body)
    expect(reply).toMatchObject({ status: 400, body: { field } })
    if (field === 'min_password_length')
      expect(reply.body.msg).toBe('invalid min_password_length property: should be between 8-20')
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })
})
