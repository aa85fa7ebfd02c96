import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, fetchToken, type ApiClient } from '../../../test/api-client'
import { password } from '../../../test/test-data'

const newPassword = 'Another-horse-2'

describe.each(databaseEngines)('users (%s)', (databaseEngine) => {
  let backend: Backend
  beforeEach(async () => {
    backend = await startBackend({ databaseEngine })
  })
  afterEach(() => backend.close())

  const signIn = async (name: string, enteredPassword?: string) =>
    createApiClient(backend.app, await fetchToken(backend.app, name, enteredPassword))
  const isSignedIn = async (client: ApiClient) => (await client('GET', '/Users/me')).status === 200

  it('read themselves with their account and provider', async () => {
    const { testData, services } = backend
    await services.users.update(testData.users.acme, {
      email_activation_code: 'c0de',
      phone_activation_code: 'c0de',
      force_change: 1,
    })
    const { body } = await (await signIn('acme'))('GET', '/Users/me')
    expect(body.user).toMatchObject({
      user_sid: testData.users.acme,
      name: 'acme',
      email: 'acme@example.com',
      provider: 'local',
      is_active: 1,
      force_change: true,
      email_validated: false,
      phone_validated: false,
    })
    for (const hiddenColumn of [
      'hashed_password',
      'email_activation_code',
      'phone_activation_code',
      'owner',
      'owner_account',
    ])
      expect(body.user).not.toHaveProperty(hiddenColumn)
    expect(body.account).toMatchObject({
      account_sid: testData.acme.account,
      webhook_secret: 'wh_secret_x',
      registration_hook_sid: null,
      bucket_credential: null,
    })
    expect(body.account.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/)
    expect(body.sp).toMatchObject({ service_provider_sid: testData.providers.north, name: 'Northwind' })
  })

  it('without an account get an account with null in every column', async () => {
    const { body } = await (await signIn('admin'))('GET', '/Users/me')
    for (const tenantRow of [body.account, body.sp]) {
      expect(Object.keys(tenantRow).length).toBeGreaterThan(4)
      expect(Object.values(tenantRow).every((value) => value === null)).toBe(true)
    }
    const north = (await (await signIn('north'))('GET', '/Users/me')).body
    expect(north).toMatchObject({ account: { account_sid: null }, sp: { name: 'Northwind' } })
  })

  it('get the masked bucket credential of their account', async () => {
    const bucket_credential = {
      vendor: 'aws_s3',
      name: 'b',
      region: 'eu-west-1',
      access_key_id: 'k',
      secret_access_key: 'abcdefghij',
    }
    const acmeClient = await signIn('acme')
    expect(await acmeClient('PUT', `/Accounts/${backend.testData.acme.account}`, { bucket_credential })).toMatchObject({
      status: 204,
    })
    expect((await acmeClient('GET', '/Users/me')).body.account.bucket_credential).toEqual({
      ...bucket_credential,
      secret_access_key: 'abcdefXXXX',
    })
  })

  it('change their own password, which ends their other sessions and the forced change', async () => {
    const { testData, services } = backend
    await services.users.update(testData.users.acme, { force_change: 1 })
    const [currentSessionClient, otherSessionClient] = [await signIn('acme'), await signIn('acme')]
    const path = `/Users/${testData.users.acme}`
    expect(
      await currentSessionClient('PUT', path, { old_password: password, new_password: newPassword }),
    ).toMatchObject({
      status: 204,
      body: undefined,
    })
    expect(await isSignedIn(currentSessionClient)).toBe(true)
    expect(await isSignedIn(otherSessionClient)).toBe(false)
    expect((await currentSessionClient('GET', '/Users/me')).body.user.force_change).toBe(false)
    expect(await isSignedIn(await signIn('acme', newPassword))).toBe(true)
    await expect(signIn('acme')).rejects.toThrow('403')
  })

  it('that are view-only can change only their own password', async () => {
    const viewerClient = await signIn('viewer')
    const path = `/Users/${backend.testData.viewer}`
    expect(await viewerClient('PUT', path, { old_password: password, new_password: newPassword })).toMatchObject({
      status: 204,
    })
    const newSessionClient = await signIn('viewer', newPassword)
    const viewOnlyRefusal = { status: 403, body: { msg: 'User has view-only access' } }
    expect(await newSessionClient('DELETE', path)).toMatchObject(viewOnlyRefusal)
    expect(
      await newSessionClient('PUT', path, { old_password: newPassword, new_password: password, name: 'x' }),
    ).toMatchObject(viewOnlyRefusal)
    expect(
      await newSessionClient('PUT', `/Users/${backend.testData.users.acme}`, { old_password: 'a', new_password: 'b' }),
    ).toMatchObject(viewOnlyRefusal)
    expect(
      await newSessionClient('PUT', `/Accounts/${backend.testData.acme.account}`, {
        old_password: 'a',
        new_password: 'b',
      }),
    ).toMatchObject(viewOnlyRefusal)
    expect(
      await newSessionClient('POST', '/change-password', { old_password: newPassword, new_password: password }),
    ).toMatchObject({
      status: 204,
    })
  })

  it.each<[string, object, { status: number; body?: unknown }]>([
    ['an empty body', {}, { status: 400, body: { msg: 'no updates requested' } }],
    [
      'no new password',
      { old_password: password },
      { status: 400, body: { msg: 'new_password and old_password both required', field: 'new_password' } },
    ],
    [
      'no old password',
      { new_password: newPassword },
      { status: 400, body: { msg: 'new_password and old_password both required', field: 'old_password' } },
    ],
    ['a wrong old password', { old_password: 'wrong', new_password: newPassword }, { status: 403, body: 'Forbidden' }],
    [
      'a short password',
      { old_password: password, new_password: 'short' },
      { status: 400, body: { msg: 'password length must be between 8 and 20', field: 'new_password' } },
    ],
    [
      'a long password',
      { old_password: password, new_password: 'x'.repeat(21) },
      { status: 400, body: { msg: 'password length must be between 8 and 20', field: 'new_password' } },
    ],
    [
      'the old password again',
      { old_password: password, new_password: password },
      { status: 400, body: { msg: 'new password cannot be your old password', field: 'new_password' } },
    ],
    [
      'a number as the password',
      { old_password: password, new_password: 12345678 },
      { status: 400, body: { msg: 'new_password must be a string', field: 'new_password' } },
    ],
  ])('are refused with %s, and nothing changes', async (_, body, response) => {
    const initialSnapshot = await takeSnapshot(backend.database)
    const acmeClient = await signIn('acme')
    expect(await acmeClient('PUT', `/Users/${backend.testData.users.acme}`, body)).toMatchObject(response)
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    expect(await isSignedIn(await signIn('acme'))).toBe(true)
  })

  it('of external identity providers have no password to change', async () => {
    await backend.services.users.update(backend.testData.users.acme, { provider: 'google' })
    const northClient = await signIn('north')
    expect(
      await northClient('PUT', `/Users/${backend.testData.users.acme}`, {
        old_password: password,
        new_password: newPassword,
      }),
    ).toMatchObject({
      status: 400,
      body: { msg: 'can not change password when using oauth2' },
    })
  })

  it("cannot choose a password that violates the installation's rule", async () => {
    const adminClient = await signIn('admin')
    const acmeClient = await signIn('acme')
    const changePassword = async (new_password: string) =>
      (await acmeClient('PUT', `/Users/${backend.testData.users.acme}`, { old_password: password, new_password })).body
        ?.msg
    expect((await acmeClient('GET', '/PasswordSettings')).body).toEqual({ min_password_length: 8 })
    const rule = { min_password_length: 10, require_digit: 1, require_special_character: true }
    expect(await adminClient('POST', '/PasswordSettings', rule)).toMatchObject({ status: 201, body: {} })
    expect((await acmeClient('GET', '/PasswordSettings')).body).toEqual({
      min_password_length: 10,
      require_digit: 1,
      require_special_character: 1,
    })
    expect(await changePassword('short')).toBe('password must be at least 10 characters long')
    expect(await changePassword('longenough-but')).toBe('password must contain at least one digit')
    expect(await changePassword('longenough1but')).toBe('password must contain at least one special character')
    expect(await changePassword('longenough-1-but-longer-than-20')).toBeUndefined()
    // Omitted fields keep their values.
    await adminClient('POST', '/PasswordSettings', { require_digit: false })
    expect((await acmeClient('GET', '/PasswordSettings')).body).toEqual({
      min_password_length: 10,
      require_digit: 0,
      require_special_character: 1,
    })
    for (const min_password_length of [7, 21, '10', 8.5, null])
      expect(await adminClient('POST', '/PasswordSettings', { min_password_length })).toMatchObject({
        status: 400,
        body: { msg: 'invalid min_password_length property: should be between 8-20', field: 'min_password_length' },
      })
    expect(await adminClient('POST', '/PasswordSettings', { foo: 1 })).toMatchObject({
      status: 400,
      body: { msg: 'unknown field foo', field: 'foo' },
    })
  })
})
