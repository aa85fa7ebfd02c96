import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { apiClient, tokenFor } from '../../../test/speak'

const mail = { send: () => Promise.resolve(), close: () => undefined }

describe.each(engines)('a password reset link (%s)', (engine) => {
  let backend: Backend
  beforeEach(async () => {
    const features = { ...defaultFeatureFlags, forgotPassword: true }
    backend = await startBackend({ engine, config: { features }, outside: { mail } })
  })
  afterEach(() => backend.close())

  it('opens one session for parallel requests, and only that session can change the password', async () => {
    const { users, resetLinks } = backend.services
    const user = await users.find({ all: true }, backend.world.users.acme)
    const link = await resetLinks.create(user!, 'acme@example.com')
    const signIn = () => apiClient(backend.app)('POST', '/signin', { link })
    const responses = await Promise.all(Array.from({ length: 4 }, signIn))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403])
    expect(await backend.database.db.selectFrom('trunkline_sessions').selectAll().execute()).toHaveLength(1)
    const change = { old_password: link, new_password: 'Another-horse-2' }
    const other = apiClient(backend.app, await tokenFor(backend.app, 'acme'))
    expect(await other('POST', '/change-password', change)).toMatchObject({ status: 400 })
    const reset = apiClient(backend.app, responses.find(({ status }) => status === 200)?.body.jwt)
    expect(await reset('POST', '/change-password', change)).toMatchObject({ status: 204 })
    expect((await signIn()).status).toBe(403)
  })
})
