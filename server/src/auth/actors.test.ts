import { expect, it } from 'vitest'
import { startBackend } from '../../test/backend'
import { createActorFinder } from './actors'

it('stores the last use of a key again once it no longer remembers the key', async () => {
  const backend = await startBackend()
  const { services, testData } = backend
  const { db } = backend.database
  const actorFinder = createActorFinder(services.store, services.sessions, {
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
