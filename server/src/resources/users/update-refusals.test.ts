import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, takeSnapshot } from '../../../test/api-client'
import { password, type ActorName, type TestData } from '../../../test/test-data'

const newPassword = 'Another-horse-2'
const unknownSid = 'abcdef01-0000-4000-8000-000000000000'

describe.each(databaseEngines)('an update of a user (%s)', (databaseEngine) => {
  let backend: Backend
  beforeEach(async () => {
    backend = await startBackend({ databaseEngine })
  })
  afterEach(() => backend.close())

  const updateUser = (actorName: ActorName, targetName: ActorName, body: object) =>
    createApiClient(backend.app, backend.testData.keys[actorName])(
      'PUT',
      `/Users/${backend.testData.users[targetName]}`,
      body,
    )

  type RefusalCase = [string, ActorName, ActorName, object | ((testData: TestData) => object), number, string, string?]
  const duplicateMessage = 'invalid username or email'
  const promotionMessage = 'Invalid request: user may not be promoted'
  const moveMessage = 'or moved to another'

  it.each<RefusalCase>([
    ['an empty body', 'north', 'acme', {}, 400, 'no updates requested'],
    ['a duplicate name', 'north', 'acme', { name: 'Corp' }, 422, duplicateMessage, 'name'],
    ['a duplicate email address', 'north', 'acme', { email: 'CORP@example.com' }, 422, duplicateMessage, 'email'],
    [
      'an invalid email address',
      'north',
      'acme',
      { email: 'x' },
      400,
      'Enter an email address, such as name@example.com.',
      'email',
    ],
    ['leaving the account', 'admin', 'acme', { name: 'acme', account_sid: null }, 400, promotionMessage, 'account_sid'],
    [
      'leaving the provider',
      'admin',
      'north',
      { service_provider_sid: null },
      400,
      promotionMessage,
      'service_provider_sid',
    ],
    [
      'another account, by an account',
      'acme',
      'acme',
      ({ accounts }) => ({ account_sid: accounts.bolt }),
      400,
      `${promotionMessage} ${moveMessage} account`,
      'account_sid',
    ],
    [
      'another provider, by an account',
      'acme',
      'acme',
      ({ providers }) => ({ service_provider_sid: providers.south }),
      400,
      `${promotionMessage} ${moveMessage} service provider`,
      'service_provider_sid',
    ],
    [
      'another provider, by a provider',
      'north',
      'north',
      ({ providers }) => ({ service_provider_sid: providers.south }),
      400,
      `${promotionMessage} ${moveMessage} service provider`,
      'service_provider_sid',
    ],
    [
      'an account of another provider',
      'north',
      'acme',
      ({ accounts }) => ({ account_sid: accounts.corp }),
      400,
      'Invalid request: user may not be moved to another service provider',
      'account_sid',
    ],
    [
      'a provider that differs from the account’s',
      'admin',
      'acme',
      ({ providers }) => ({ service_provider_sid: providers.south }),
      400,
      'Invalid request: user may not be moved to another service provider',
      'service_provider_sid',
    ],
    [
      'an unknown account',
      'admin',
      'acme',
      { account_sid: unknownSid },
      400,
      'Invalid request: account_sid does not exist',
      'account_sid',
    ],
    [
      'an unknown provider',
      'admin',
      'north',
      { service_provider_sid: unknownSid },
      400,
      'Invalid request: service_provider_sid does not exist',
      'service_provider_sid',
    ],
    [
      'a name together with a password',
      'acme',
      'acme',
      { name: 'x', old_password: password, new_password: newPassword },
      400,
      'can not change name and password simultaneously',
      'name',
    ],
    [
      'two new passwords',
      'acme',
      'acme',
      { old_password: password, new_password: newPassword, initial_password: newPassword },
      400,
      'initial_password and new_password can not be sent together',
      'initial_password',
    ],
    [
      'a short password',
      'north',
      'acme',
      { initial_password: 'short' },
      400,
      'password length must be between 8 and 20',
      'initial_password',
    ],
    [
      'an activation code without an email address',
      'acme',
      'acme',
      { email_activation_code: '123456' },
      400,
      'email and email_activation_code both required',
      'email',
    ],
    [
      'another column',
      'admin',
      'acme',
      { hashed_password: 'x' },
      400,
      'unknown field hashed_password',
      'hashed_password',
    ],
  ])('is refused with %s', async (_, actorName, targetName, change, status, msg, field) => {
    const initialSnapshot = await takeSnapshot(backend.database)
    const body = typeof change === 'function' ? change(backend.testData) : change
    expect(await updateUser(actorName, targetName, body)).toMatchObject({
      status,
      body: { msg, ...(field ? { field } : {}) },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('is refused if it sets a password of an external user', async () => {
    await backend.services.users.update(backend.testData.users.acme, { provider: 'google' })
    expect(await updateUser('north', 'acme', { initial_password: newPassword })).toMatchObject({
      status: 400,
      body: { msg: 'can not change password when using oauth2', field: 'initial_password' },
    })
    expect(await updateUser('north', 'acme', { name: 'acme', initial_password: null, is_active: 1 })).toMatchObject({
      status: 204,
    })
  })
})
