import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { apiClient } from '../../../test/speak'
import { webhooks } from './repository'

const max = 3
const day = 24 * 3600

describe.each(engines)('unlinked webhooks (%s)', (engine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ engine, config: { maxUnusedWebhooks: max } })
  })
  afterAll(() => backend.close())

  const add = (actorName: 'acme' | 'bolt' | 'north' | 'admin') =>
    apiClient(backend.app, backend.world.keys[actorName])('POST', '/Webhooks', {
      url: `https://example.com/${randomUUID()}`,
    })
  const addAll = async (actorName: Parameters<typeof add>[0], count: number) => {
    const sids: string[] = []
    for (let number = 0; number < count; number += 1) {
      const { status, body } = await add(actorName)
      expect(status).toBe(201)
      sids.push(body.sid as string)
    }
    return sids
  }
  const link = async (webhook_sid: string) => {
    const path = `/Applications/${backend.world.acme.application}`
    const { status } = await apiClient(backend.app, backend.world.keys.acme)('PUT', path, {
      call_hook: { webhook_sid },
    })
    expect(status).toBe(204)
  }
  const stored = async (sids: string[]) => {
    const rows = await backend.services.webhooks.read(sids)
    return sids.map((sid) => rows.has(sid))
  }
  const age = (sids: string[], seconds: number) =>
    backend.database.db
      .updateTable('trunkline_unused_webhooks')
      .set({ created_at: Math.floor(Date.now() / 1000) - seconds })
      .where('webhook_sid', 'in', sids)
      .execute()

  it('are limited per account and provider until they are linked or deleted', async () => {
    const [first] = await addAll('acme', max)
    const refused = await add('acme')
    expect(refused).toMatchObject({
      status: 422,
      body: {
        msg:
          'This account has 3 webhooks that nothing uses. Link them to an application, or wait: ' +
          'unused webhooks are deleted after 24 hours.',
      },
    })
    await addAll('bolt', 1)
    await addAll('north', max)
    expect((await add('north')).body.msg).toMatch('This service provider has 3 webhooks that nothing uses.')
    await addAll('admin', max + 1)
    await link(first!)
    await addAll('acme', 1)
    expect((await add('acme')).status).toBe(422)
  })

  it('do not count if another server on the same database has linked them', async () => {
    const [sid] = await addAll('bolt', max - 1)
    expect((await add('bolt')).status).toBe(422)
    const { db } = backend.database
    await db
      .updateTable('applications')
      .set({ call_hook_sid: sid! })
      .where('application_sid', '=', backend.world.bolt.application)
      .execute()
    await addAll('bolt', 1)
    // Linked webhooks stay.
    await age([sid!], day + 1)
    await backend.services.webhooks.prune()
    expect(await stored([sid!])).toEqual([true])
  })

  it('are deleted after a day, and no others', async () => {
    const { services, database } = backend
    const [old, recent, linked] = await addAll('admin', 3)
    await link(linked!)
    const platforms = randomUUID()
    await database.db.insertInto('webhooks').values({ webhook_sid: platforms, url: 'https://example.com' }).execute()
    await age([old!, linked!], day + 1)
    await age([recent!], day - 60)
    await services.webhooks.prune()
    expect(await stored([old!, recent!, linked!, platforms])).toEqual([false, true, true, true])
  })

  it('are deleted in batches', async () => {
    const { services } = backend
    const sids = await addAll('admin', 230)
    await age(sids, day + 1)
    const stopped = AbortSignal.abort()
    await services.webhooks.prune(stopped)
    expect((await stored(sids)).every(Boolean)).toBe(true)
    await services.webhooks.prune()
    expect((await stored(sids)).some(Boolean)).toBe(false)
  })

  it('are unlimited if the setting is 0', async () => {
    const free = webhooks(backend.services.store, { maxUnused: 0 })
    const { acme, providers } = backend.world
    const actor = { scope: 'account', account_sid: acme.account, service_provider_sid: providers.north } as const
    for (let number = 0; number <= max; number += 1) await free.insertUnused({ url: 'https://example.com' }, actor)
  })
})
