import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, fetchToken, type ApiClient } from '../../../test/api-client'

const initial_password = 'Another-horse-2'

describe.each(databaseEngines)('parallel changes of users (%s)', (databaseEngine) => {
  let backend: Backend
  let adminClient: ApiClient
  beforeEach(async () => {
    backend = await startBackend({ databaseEngine })
    adminClient = createApiClient(backend.app, backend.testData.keys.admin)
  })
  afterEach(() => backend.close())

  const createUser = (name: string, email: string) => adminClient('POST', '/Users', { name, email, initial_password })
  const statusesOf = async (requests: Promise<{ status: number }>[]) =>
    (await Promise.all(requests)).map(({ status }) => status).sort()
  const indexes = Array.from({ length: 8 }, (_, index) => index)

  it('create only one user with a name or address', async () => {
    const refusals = Array.from({ length: 7 }, () => 422)
    expect(await statusesOf(indexes.map((index) => createUser('rush', `rush${index}@example.com`)))).toEqual([
      201,
      ...refusals,
    ])
    expect(await statusesOf(indexes.map((index) => createUser(`rush ${index}`, 'one@example.com')))).toEqual([
      201,
      ...refusals,
    ])
  })

  it('give a name or address to only one user', async () => {
    const { users } = backend.testData
    const sids = [users.acme, users.bolt, users.corp, users.north]
    const updateAll = (body: object) => statusesOf(sids.map((sid) => adminClient('PUT', `/Users/${sid}`, body)))
    expect(await updateAll({ name: 'rush' })).toEqual([204, 422, 422, 422])
    expect(await updateAll({ email: 'rush@example.com' })).toEqual([204, 422, 422, 422])
  })

  it('never remove or demote both of the last two administrators', async () => {
    const { users, providers } = backend.testData
    let [adminSid, deputySid] = [
      users.admin,
      (await createUser('deputy', 'deputy@example.com')).body.user_sid as string,
    ]
    const keyClient = createApiClient(backend.app, backend.testData.keys.admin)
    const listActiveAdmins = async () =>
      (await keyClient('GET', '/Users?scope=admin')).body.filter(({ is_active }: { is_active: number }) => is_active)
    const removals: ((sid: string) => Promise<{ status: number }>)[] = [
      (sid) => keyClient('PUT', `/Users/${sid}`, { service_provider_sid: providers.north }),
      (sid) => keyClient('PUT', `/Users/${sid}`, { is_active: 0 }),
      (sid) => keyClient('DELETE', `/Users/${sid}`),
    ]
    for (const [index, removeAdmin] of removals.entries()) {
      expect(await statusesOf([removeAdmin(adminSid), removeAdmin(deputySid)])).toEqual([204, 400])
      const remainingAdmins = await listActiveAdmins()
      expect(remainingAdmins).toHaveLength(1)
      adminSid = remainingAdmins[0].user_sid
      deputySid = (await createUser(`deputy ${index}`, `deputy${index}@example.com`)).body.user_sid
    }
  })
})

describe.each(databaseEngines)('names and addresses (%s)', (databaseEngine) => {
  let backend: Backend
  beforeEach(async () => {
    backend = await startBackend({ databaseEngine })
  })
  afterEach(() => backend.close())

  it.each([
    ['Ärztin', 'ärztin'],
    ['Ärztin', 'ARZTIN'],
    ['ΟΔΟΣ', 'οδος'],
    ['Жанна', 'жАННА'],
    ['Zoë', 'zoe'],
  ])('%s and %s are duplicates', async (name, sameName) => {
    const adminClient = createApiClient(backend.app, backend.testData.keys.admin)
    const draft = { name, email: `${name}@example.com`, initial_password }
    const { body } = await adminClient('POST', '/Users', draft)
    expect(body).toHaveProperty('user_sid')
    const refusal = { status: 422, body: { msg: 'invalid username or email' } }
    for (const duplicate of [{ name: sameName }, { email: `${sameName}@EXAMPLE.com` }]) {
      expect(
        await adminClient('POST', '/Users', { ...draft, name: 'x', email: 'x@example.com', ...duplicate }),
      ).toMatchObject(refusal)
      expect(await adminClient('PUT', `/Users/${backend.testData.users.acme}`, duplicate)).toMatchObject(refusal)
    }
    // Users may change the case of their own name.
    expect(await adminClient('PUT', `/Users/${body.user_sid}`, { name: sameName })).toMatchObject({ status: 204 })
    expect(await fetchToken(backend.app, sameName, initial_password)).toBeTypeOf('string')
  })
})
