import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient } from '../../../test/api-client'
import { password } from '../../../test/test-data'

const mail = { send: () => Promise.resolve(), close: () => undefined }

describe.each(databaseEngines)('sign-in by email address and password (%s)', (databaseEngine) => {
  let backend: Backend
  beforeEach(async () => {
    const features = { ...defaultFeatureFlags, forgotPassword: true }
    backend = await startBackend({ databaseEngine, config: { features }, externalServices: { mail } })
  })
  afterEach(() => backend.close())

  it('succeeds only if the address is confirmed, and locks after six wrong passwords', async () => {
    const anonymousClient = createApiClient(backend.app)
    const signInByEmail = (email: unknown, enteredPassword = password) =>
      anonymousClient('POST', '/signin', { email, password: enteredPassword })
    expect(await signInByEmail('acme@example.com')).toMatchObject({ status: 403, body: 'Forbidden' })
    await backend.services.users.update(backend.testData.users.acme, { email_validated: 1 })
    expect(await signInByEmail('Acme@Example.com')).toMatchObject({
      status: 200,
      body: { name: 'acme', email_validated: true },
    })
    expect(await signInByEmail('nobody@example.com')).toMatchObject({ status: 403, body: 'Forbidden' })
    for (let attempt = 1; attempt < 6; attempt++)
      expect(await signInByEmail('acme@example.com', 'wrong')).toMatchObject({ status: 403, body: 'Forbidden' })
    expect(await signInByEmail('acme@example.com', 'wrong')).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('Maximum') },
    })
    expect(await signInByEmail('acme@example.com')).toMatchObject({ status: 403 })
  })
})
