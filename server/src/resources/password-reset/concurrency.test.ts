import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fullReach } from '@trunkline/contract/policy/can'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, fetchToken } from '../../../test/api-client'

const mail = { send: () => Promise.resolve(), close: () => undefined }

describe.each(databaseEngines)('a password reset link (%s)', (databaseEngine) => {
  let backend: Backend
  beforeEach(async () => {
    const features = { ...defaultFeatureFlags, forgotPassword: true }
    backend = await startBackend({ databaseEngine, config: { features }, externalServices: { mail } })
  })
  afterEach(() => backend.close())

  it('opens one session for parallel requests, and only that session can change the password', async () => {
    const { users, resetLinks } = backend.services
    const user = await users.find(fullReach, backend.testData.users.acme)
    const link = await resetLinks.create(user!, 'acme@example.com')
    const signIn = () => createApiClient(backend.app)('POST', '/signin', { link })
    const responses = await Promise.all(Array.from({ length: 4 }, signIn))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403])
    expect(await backend.database.db.selectFrom('trunkline_sessions').selectAll().execute()).toHaveLength(1)
    const passwordChange = { old_password: link, new_password: 'Another-horse-2' }
    const otherSessionClient = createApiClient(backend.app, await fetchToken(backend.app, 'acme'))
    expect(await otherSessionClient('POST', '/change-password', passwordChange)).toMatchObject({ status: 400 })
    const resetSessionClient = createApiClient(backend.app, responses.find(({ status }) => status === 200)?.body.jwt)
    expect(await resetSessionClient('POST', '/change-password', passwordChange)).toMatchObject({ status: 204 })
    expect((await signIn()).status).toBe(403)
  })
})
