import { expect, it } from 'vitest'
import { startBackend } from '../../test/backend'
import { databaseEngines } from '../../test/databases'
import { createActorFinder } from './actors'

it('stores the last use of a key again once it no longer remembers the key', async () => {
  const backend = await startBackend()
  const { services, testData } = backend
  const { db } = backend.database
  const actorFinder = createActorFinder(services.store, services.sessions, {
    acceptsRegistrants: false,
    enforcePasswordChange: false,
    maxTrackedKeys: 1,
  })
  const { acme: token, bolt: otherToken } = testData.keys
  const clearLastUse = () => db.updateTable('api_keys').set({ last_used: null }).where('token', '=', token).execute()
  const readLastUse = async () =>
    (await db.selectFrom('api_keys').select('last_used').where('token', '=', token).executeTakeFirstOrThrow()).last_used
  await actorFinder.findByToken(token)
  expect(await readLastUse()).not.toBeNull()
  await clearLastUse()
  await actorFinder.findByToken(token)
  expect(await readLastUse()).toBeNull()
  await actorFinder.findByToken(otherToken)
  await actorFinder.findByToken(token)
  expect(await readLastUse()).not.toBeNull()
  await backend.close()
})

it.each(databaseEngines)(
  'reads the view-only permission from the database, not from the token (%s)',
  async (databaseEngine) => {
    const backend = await startBackend({ databaseEngine })
    const { services, testData } = backend
    const actorFinder = createActorFinder(services.store, services.sessions, {
      enforcePasswordChange: false,
      acceptsRegistrants: false,
    })
    const tenancy = { account_sid: testData.acme.account, service_provider_sid: testData.providers.north }
    const findActor = async (user_sid: string, is_view_only: boolean) =>
      actorFinder.findByToken(await services.sessions.open(user_sid, { ...tenancy, is_view_only }))
    expect(await findActor(testData.viewer, false)).toMatchObject({ user_sid: testData.viewer, viewOnly: true })
    const actor = await findActor(testData.users.acme, true)
    expect(actor).toMatchObject({ user_sid: testData.users.acme })
    expect(actor).not.toHaveProperty('viewOnly')
    await backend.close()
  },
)
