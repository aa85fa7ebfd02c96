import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient } from '../../../test/api-client'
import { createWebhookRepository } from './repository'

const maxUnused = 3
const daySeconds = 24 * 3600

describe.each(databaseEngines)('unlinked webhooks (%s)', (databaseEngine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine, config: { maxUnusedWebhooks: maxUnused } })
  })
  afterAll(() => backend.close())

  const createWebhook = (actorName: 'acme' | 'bolt' | 'north' | 'admin') =>
    createApiClient(backend.app, backend.testData.keys[actorName])('POST', '/Webhooks', {
      url: `https://example.com/${randomUUID()}`,
    })
  const createWebhooks = async (actorName: Parameters<typeof createWebhook>[0], count: number) => {
    const sids: string[] = []
    for (let index = 0; index < count; index += 1) {
      const { status, body } = await createWebhook(actorName)
      expect(status).toBe(201)
      sids.push(body.sid as string)
    }
    return sids
  }
  const linkWebhook = async (webhook_sid: string) => {
    const path = `/Applications/${backend.testData.acme.application}`
    const { status } = await createApiClient(backend.app, backend.testData.keys.acme)('PUT', path, {
      call_hook: { webhook_sid },
    })
    expect(status).toBe(204)
  }
  const areStored = async (sids: string[]) => {
    const rows = await backend.services.webhooks.read(sids)
    return sids.map((sid) => rows.has(sid))
  }
  const setAge = (sids: string[], ageSeconds: number) =>
    backend.database.db
      .updateTable('trunkline_unused_webhooks')
      .set({ created_at: Math.floor(Date.now() / 1000) - ageSeconds })
      .where('webhook_sid', 'in', sids)
      .execute()

  it('are limited per account and provider until they are linked or deleted', async () => {
    const [firstSid] = await createWebhooks('acme', maxUnused)
    const refusal = await createWebhook('acme')
    expect(refusal).toMatchObject({
      status: 422,
      body: {
        msg:
          'This account has 3 webhooks that nothing uses. Link them to an application, or wait: ' +
          'unused webhooks are deleted after 24 hours.',
      },
    })
    await createWebhooks('bolt', 1)
    await createWebhooks('north', maxUnused)
    expect((await createWebhook('north')).body.msg).toMatch('This service provider has 3 webhooks that nothing uses.')
    await createWebhooks('admin', maxUnused + 1)
    await linkWebhook(firstSid!)
    await createWebhooks('acme', 1)
    expect((await createWebhook('acme')).status).toBe(422)
  })

  it('are not counted if another server on the same database has linked them', async () => {
    const [sid] = await createWebhooks('bolt', maxUnused - 1)
    expect((await createWebhook('bolt')).status).toBe(422)
    const { db } = backend.database
    await db
      .updateTable('applications')
      .set({ call_hook_sid: sid! })
      .where('application_sid', '=', backend.testData.bolt.application)
      .execute()
    await createWebhooks('bolt', 1)
    // A linked webhook is not deleted.
    await setAge([sid!], daySeconds + 1)
    await backend.services.webhooks.prune()
    expect(await areStored([sid!])).toEqual([true])
  })

  it('are deleted after a day, but not linked webhooks or those of the platform', async () => {
    const { services, database } = backend
    const [oldSid, recentSid, linkedSid] = await createWebhooks('admin', 3)
    await linkWebhook(linkedSid!)
    const platformSid = randomUUID()
    await database.db.insertInto('webhooks').values({ webhook_sid: platformSid, url: 'https://example.com' }).execute()
    await setAge([oldSid!, linkedSid!], daySeconds + 1)
    await setAge([recentSid!], daySeconds - 60)
    await services.webhooks.prune()
    expect(await areStored([oldSid!, recentSid!, linkedSid!, platformSid])).toEqual([false, true, true, true])
  })

  it('are deleted in batches', async () => {
    const { services } = backend
    const sids = await createWebhooks('admin', 230)
    await setAge(sids, daySeconds + 1)
    const abortedSignal = AbortSignal.abort()
    await services.webhooks.prune(abortedSignal)
    expect((await areStored(sids)).every(Boolean)).toBe(true)
    await services.webhooks.prune()
    expect((await areStored(sids)).some(Boolean)).toBe(false)
  })

  it('are unlimited if the setting is 0', async () => {
    const unlimitedWebhooks = createWebhookRepository(backend.services.store, { maxUnused: 0 })
    const { acme, providers } = backend.testData
    const actor = { scope: 'account', account_sid: acme.account, service_provider_sid: providers.north } as const
    for (let index = 0; index <= maxUnused; index += 1)
      await unlimitedWebhooks.insertUnused({ url: 'https://example.com' }, actor)
  })
})
