import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { speaker, tokenFor } from '../../../test/speak'

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
    const signIn = () => speaker(backend.app)('POST', '/signin', { link })
    const answers = await Promise.all(Array.from({ length: 4 }, signIn))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403])
    expect(await backend.database.db.selectFrom('trunkline_sessions').selectAll().execute()).toHaveLength(1)
    const change = { old_password: link, new_password: 'Another-horse-2' }
    const other = speaker(backend.app, await tokenFor(backend.app, 'acme'))
    expect(await other('POST', '/change-password', change)).toMatchObject({ status: 400 })
    const reset = speaker(backend.app, answers.find(({ status }) => status === 200)?.body.jwt)
    expect(await reset('POST', '/change-password', change)).toMatchObject({ status: 204 })
    expect((await signIn()).status).toBe(403)
  })
})
