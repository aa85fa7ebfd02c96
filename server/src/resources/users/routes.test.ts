import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, tokenFor, type ApiClient } from '../../../test/speak'
import { password } from '../../../test/world'

const fresh = 'Another-horse-2'

describe.each(engines)('users (%s)', (engine) => {
  let backend: Backend
  beforeEach(async () => {
    backend = await startBackend({ engine })
  })
  afterEach(() => backend.close())

  const signedIn = async (name: string, secret?: string) =>
    apiClient(backend.app, await tokenFor(backend.app, name, secret))
  const works = async (request: ApiClient) => (await request('GET', '/Users/me')).status === 200

  it("read themselves with their tenant's rows", async () => {
    const { world, services } = backend
    await services.users.update(world.users.acme, {
      email_activation_code: 'c0de',
      phone_activation_code: 'c0de',
      force_change: 1,
    })
    const { body } = await (await signedIn('acme'))('GET', '/Users/me')
    expect(body.user).toMatchObject({
      user_sid: world.users.acme,
      name: 'acme',
      email: 'acme@example.com',
      provider: 'local',
      is_active: 1,
      force_change: true,
      email_validated: false,
      phone_validated: false,
    })
    for (const hidden of [
      'hashed_password',
      'email_activation_code',
      'phone_activation_code',
      'owner',
      'owner_account',
    ])
      expect(body.user).not.toHaveProperty(hidden)
    expect(body.account).toMatchObject({
      account_sid: world.acme.account,
      webhook_secret: 'wh_secret_x',
      registration_hook_sid: null,
      bucket_credential: null,
    })
    expect(body.account.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/)
    expect(body.sp).toMatchObject({ service_provider_sid: world.providers.north, name: 'Northwind' })
  })

  it('without an account get one with null in every column', async () => {
    const { body } = await (await signedIn('admin'))('GET', '/Users/me')
    for (const part of [body.account, body.sp]) {
      expect(Object.keys(part).length).toBeGreaterThan(4)
      expect(Object.values(part).every((value) => value === null)).toBe(true)
    }
    const north = (await (await signedIn('north'))('GET', '/Users/me')).body
    expect(north).toMatchObject({ account: { account_sid: null }, sp: { name: 'Northwind' } })
  })

  it("get their account's bucket credential masked", async () => {
    const bucket_credential = {
      vendor: 'aws_s3',
      name: 'b',
      region: 'eu-west-1',
      access_key_id: 'k',
      secret_access_key: 'abcdefghij',
    }
    const acme = await signedIn('acme')
    expect(await acme('PUT', `/Accounts/${backend.world.acme.account}`, { bucket_credential })).toMatchObject({
      status: 204,
    })
    expect((await acme('GET', '/Users/me')).body.account.bucket_credential).toEqual({
      ...bucket_credential,
      secret_access_key: 'abcdefXXXX',
    })
  })

  it('change their own password, which ends their other sessions and the forced change', async () => {
    const { world, services } = backend
    await services.users.update(world.users.acme, { force_change: 1 })
    const [here, there] = [await signedIn('acme'), await signedIn('acme')]
    const path = `/Users/${world.users.acme}`
    expect(await here('PUT', path, { old_password: password, new_password: fresh })).toMatchObject({
      status: 204,
      body: undefined,
    })
    expect(await works(here)).toBe(true)
    expect(await works(there)).toBe(false)
    expect((await here('GET', '/Users/me')).body.user.force_change).toBe(false)
    expect(await works(await signedIn('acme', fresh))).toBe(true)
    await expect(signedIn('acme')).rejects.toThrow('403')
  })

  it('who are view-only can change only their own password', async () => {
    const viewer = await signedIn('viewer')
    const path = `/Users/${backend.world.viewer}`
    expect(await viewer('PUT', path, { old_password: password, new_password: fresh })).toMatchObject({ status: 204 })
    const second = await signedIn('viewer', fresh)
    const received = { status: 403, body: { msg: 'User has view-only access' } }
    expect(await second('DELETE', path)).toMatchObject(received)
    expect(await second('PUT', path, { old_password: fresh, new_password: password, name: 'x' })).toMatchObject(
      received,
    )
    expect(
      await second('PUT', `/Users/${backend.world.users.acme}`, { old_password: 'a', new_password: 'b' }),
    ).toMatchObject(received)
    expect(
      await second('PUT', `/Accounts/${backend.world.acme.account}`, { old_password: 'a', new_password: 'b' }),
    ).toMatchObject(received)
    expect(await second('POST', '/change-password', { old_password: fresh, new_password: password })).toMatchObject({
      status: 204,
    })
  })

  it.each<[string, object, { status: number; body?: unknown }]>([
    ['nothing', {}, { status: 400, body: { msg: 'no updates requested' } }],
    [
      'no new password',
      { old_password: password },
      { status: 400, body: { msg: 'new_password and old_password both required', field: 'new_password' } },
    ],
    [
      'no old password',
      { new_password: fresh },
      { status: 400, body: { msg: 'new_password and old_password both required', field: 'old_password' } },
    ],
    ['a wrong old password', { old_password: 'wrong', new_password: fresh }, { status: 403, body: 'Forbidden' }],
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
    const initialSnapshot = await snapshot(backend.database)
    const acme = await signedIn('acme')
    expect(await acme('PUT', `/Users/${backend.world.users.acme}`, body)).toMatchObject(response)
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    expect(await works(await signedIn('acme'))).toBe(true)
  })

  it('of external providers have no password to change', async () => {
    await backend.services.users.update(backend.world.users.acme, { provider: 'google' })
    const north = await signedIn('north')
    expect(
      await north('PUT', `/Users/${backend.world.users.acme}`, { old_password: password, new_password: fresh }),
    ).toMatchObject({
      status: 400,
      body: { msg: 'can not change password when using oauth2' },
    })
  })

  it("must follow the installation's password rule", async () => {
    const admin = await signedIn('admin')
    const acme = await signedIn('acme')
    const attempt = async (new_password: string) =>
      (await acme('PUT', `/Users/${backend.world.users.acme}`, { old_password: password, new_password })).body?.msg
    expect((await acme('GET', '/PasswordSettings')).body).toEqual({ min_password_length: 8 })
    const rule = { min_password_length: 10, require_digit: 1, require_special_character: true }
    expect(await admin('POST', '/PasswordSettings', rule)).toMatchObject({ status: 201, body: {} })
    expect((await acme('GET', '/PasswordSettings')).body).toEqual({
      min_password_length: 10,
      require_digit: 1,
      require_special_character: 1,
    })
    expect(await attempt('short')).toBe('password must be at least 10 characters long')
    expect(await attempt('longenough-but')).toBe('password must contain at least one digit')
    expect(await attempt('longenough1but')).toBe('password must contain at least one special character')
    expect(await attempt('longenough-1-but-longer-than-20')).toBeUndefined()
    // Omitted fields stay, and there is a single row.
    await admin('POST', '/PasswordSettings', { require_digit: false })
    expect((await acme('GET', '/PasswordSettings')).body).toEqual({
      min_password_length: 10,
      require_digit: 0,
      require_special_character: 1,
    })
    for (const min_password_length of [7, 21, '10', 8.5, null])
      expect(await admin('POST', '/PasswordSettings', { min_password_length })).toMatchObject({
        status: 400,
        body: { msg: 'invalid min_password_length property: should be between 8-20', field: 'min_password_length' },
      })
    expect(await admin('POST', '/PasswordSettings', { foo: 1 })).toMatchObject({
      status: 400,
      body: { msg: 'unknown field foo', field: 'foo' },
    })
  })
})
