import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

describe.each(databaseEngines)('the password rule (%s)', (databaseEngine) => {
  let backend: Backend
  let adminClient: ApiClient
  let acmeClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    adminClient = createApiClient(backend.app, backend.testData.keys.admin)
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
  })
  afterAll(() => backend.close())

  const path = '/PasswordSettings'
  const rows = () => backend.database.db.selectFrom('password_settings').selectAll().execute()

  it('is the default until set, and a single row after parallel requests', async () => {
    await backend.database.db.deleteFrom('password_settings').execute()
    expect(await acmeClient('GET', path)).toMatchObject({ status: 200, body: { min_password_length: 8 } })
    await Promise.all([9, 10, 11, 12].map((min_password_length) => adminClient('POST', path, { min_password_length })))
    expect(await rows()).toHaveLength(1)
  })

  it('is updated field by field', async () => {
    const allSettings = { min_password_length: 20, require_digit: true, require_special_character: 0 }
    expect(await adminClient('POST', path, allSettings)).toMatchObject({ status: 201, body: {} })
    expect(await adminClient('POST', path, { require_special_character: 1 })).toMatchObject({ status: 201 })
    expect(await adminClient('POST', path, {})).toMatchObject({ status: 201 })
    expect((await acmeClient('GET', path)).body).toEqual({
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
    const initialSnapshot = await takeSnapshot(backend.database)
    const response = await adminClient('POST', path, body)
    expect(response).toMatchObject({ status: 400, body: { field } })
    if (field === 'min_password_length')
      expect(response.body.msg).toBe('invalid min_password_length property: should be between 8-20')
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })
})
