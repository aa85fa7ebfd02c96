import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { apiClient, tokenFor, type ApiClient } from '../../../test/speak'

const initial_password = 'Another-horse-2'

describe.each(engines)('parallel changes of users (%s)', (engine) => {
  let backend: Backend
  let admin: ApiClient
  beforeEach(async () => {
    backend = await startBackend({ engine })
    admin = apiClient(backend.app, backend.world.keys.admin)
  })
  afterEach(() => backend.close())

  const add = (name: string, email: string) => admin('POST', '/Users', { name, email, initial_password })
  const statuses = async (burst: Promise<{ status: number }>[]) =>
    (await Promise.all(burst)).map(({ status }) => status).sort()
  const eight = Array.from({ length: 8 }, (_, index) => index)

  it('create one user with a name or address', async () => {
    const refused = Array.from({ length: 7 }, () => 422)
    expect(await statuses(eight.map((index) => add('rush', `rush${index}@example.com`)))).toEqual([201, ...refused])
    expect(await statuses(eight.map((index) => add(`rush ${index}`, 'one@example.com')))).toEqual([201, ...refused])
  })

  it('change one user to a name or address', async () => {
    const { users } = backend.world
    const sids = [users.acme, users.bolt, users.corp, users.north]
    const change = (body: object) => statuses(sids.map((sid) => admin('PUT', `/Users/${sid}`, body)))
    expect(await change({ name: 'rush' })).toEqual([204, 422, 422, 422])
    expect(await change({ email: 'rush@example.com' })).toEqual([204, 422, 422, 422])
  })

  it('never remove or demote the last two administrators', async () => {
    const { users, providers } = backend.world
    let [first, second] = [users.admin, (await add('deputy', 'deputy@example.com')).body.user_sid as string]
    const key = apiClient(backend.app, backend.world.keys.admin)
    const names = async () =>
      (await key('GET', '/Users?scope=admin')).body.filter(({ is_active }: { is_active: number }) => is_active)
    const ways: ((sid: string) => Promise<{ status: number }>)[] = [
      (sid) => key('PUT', `/Users/${sid}`, { service_provider_sid: providers.north }),
      (sid) => key('PUT', `/Users/${sid}`, { is_active: 0 }),
      (sid) => key('DELETE', `/Users/${sid}`),
    ]
    for (const [timestamp, way] of ways.entries()) {
      expect(await statuses([way(first), way(second)])).toEqual([204, 400])
      const left = await names()
      expect(left).toHaveLength(1)
      first = left[0].user_sid
      second = (await add(`deputy ${timestamp}`, `deputy${timestamp}@example.com`)).body.user_sid
    }
  })
})

describe.each(engines)('names and addresses (%s)', (engine) => {
  let backend: Backend
  beforeEach(async () => {
    backend = await startBackend({ engine })
  })
  afterEach(() => backend.close())

  it.each([
    ['Ärztin', 'ärztin'],
    ['Ärztin', 'ARZTIN'],
    ['ΟΔΟΣ', 'οδος'],
    ['Жанна', 'жАННА'],
    ['Zoë', 'zoe'],
  ])('%s and %s are the same, however they are written', async (first, second) => {
    const admin = apiClient(backend.app, backend.world.keys.admin)
    const draft = { name: first, email: `${first}@example.com`, initial_password }
    const { body } = await admin('POST', '/Users', draft)
    expect(body).toHaveProperty('user_sid')
    const refusal = { status: 422, body: { msg: 'invalid username or email' } }
    for (const same of [{ name: second }, { email: `${second}@EXAMPLE.com` }]) {
      expect(await admin('POST', '/Users', { ...draft, name: 'x', email: 'x@example.com', ...same })).toMatchObject(
        refusal,
      )
      expect(await admin('PUT', `/Users/${backend.world.users.acme}`, same)).toMatchObject(refusal)
    }
    // Users may change the case of their own name.
    expect(await admin('PUT', `/Users/${body.user_sid}`, { name: second })).toMatchObject({ status: 204 })
    expect(await tokenFor(backend.app, second, initial_password)).toBeTypeOf('string')
  })
})
