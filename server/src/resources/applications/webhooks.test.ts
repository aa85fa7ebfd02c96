import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { findOrphanedWebhooks } from '../../../test/orphans'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

const webhook = { url: 'https://example.com/call', method: 'POST', username: null, password: null }

describe.each(databaseEngines)('webhooks of applications (%s)', (databaseEngine) => {
  let backend: Backend
  let acmeClient: ApiClient
  let applicationPath: string
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
    applicationPath = `/Applications/${backend.testData.acme.application}`
  })
  afterAll(() => backend.close())

  let applicationNumber = 0
  const createDraft = (overrides: object = {}) => ({
    name: `app ${++applicationNumber}`,
    call_hook: webhook,
    call_status_hook: webhook,
    ...overrides,
  })
  const createApplication = async (overrides: object = {}): Promise<string> =>
    (await acmeClient('POST', '/Applications', createDraft(overrides))).body.sid
  const fetchApplication = (sid: string) => acmeClient('GET', `/Applications/${sid}`).then(({ body }) => body)
  const countWebhooks = async () =>
    (await backend.database.db.selectFrom('webhooks').select('webhook_sid').execute()).length

  it('are updated in place if the body has their SID, or if they are not shared', async () => {
    const sid = await createApplication()
    const initialCount = await countWebhooks()
    const { call_hook } = await fetchApplication(sid)
    for (const change of [{ ...call_hook, url: 'https://example.com/2' }, { url: 'https://example.com/3' }]) {
      expect(await acmeClient('PUT', `/Applications/${sid}`, { call_hook: change })).toMatchObject({ status: 204 })
      expect((await fetchApplication(sid)).call_hook).toMatchObject({
        webhook_sid: call_hook.webhook_sid,
        url: change.url,
      })
    }
    expect(await countWebhooks()).toBe(initialCount)
  })

  it('are unchanged by {}, removed by null, and leave no unused rows', async () => {
    const sid = await createApplication({ messaging_hook: webhook })
    const initialCount = await countWebhooks()
    await acmeClient('PUT', `/Applications/${sid}`, { messaging_hook: {}, call_hook: {} })
    expect(await fetchApplication(sid)).toMatchObject({ messaging_hook: webhook, call_hook: webhook })
    expect(await acmeClient('PUT', `/Applications/${sid}`, { messaging_hook: null })).toMatchObject({ status: 204 })
    expect(await fetchApplication(sid)).toMatchObject({ messaging_hook: null, call_hook: webhook })
    expect(await countWebhooks()).toBe(initialCount - 1)
    expect(await acmeClient('DELETE', `/Applications/${sid}`)).toMatchObject({ status: 204 })
    expect(await countWebhooks()).toBe(initialCount - 3)
    expect(await findOrphanedWebhooks(backend.database)).toEqual([])
  })

  it('cannot be removed if calls require them', async () => {
    const sid = await createApplication()
    for (const name of ['call_hook', 'call_status_hook'])
      for (const emptyWebhook of [null, { url: '' }])
        expect(await acmeClient('PUT', `/Applications/${sid}`, { [name]: emptyWebhook })).toMatchObject({
          status: 400,
          body: { msg: `missing field ${name}.url`, field: `${name}.url` },
        })
    expect(await fetchApplication(sid)).toMatchObject({ call_hook: webhook, call_status_hook: webhook })
    // An application that another server wrote may lack the webhook and can still be updated.
    const { db } = backend.database
    const { call_hook } = await fetchApplication(sid)
    await db.updateTable('applications').set({ call_hook_sid: null }).where('application_sid', '=', sid).execute()
    await db.deleteFrom('webhooks').where('webhook_sid', '=', call_hook.webhook_sid).execute()
    expect(await acmeClient('PUT', `/Applications/${sid}`, { call_hook: null, record_all_calls: 1 })).toMatchObject({
      status: 204,
    })
  })

  it('can be created separately and linked by SID, and can be read by administrators', async () => {
    const draftWithLogin = { ...webhook, url: 'https://example.com/separate', username: 'u', password: 'p' }
    const { status, body } = await acmeClient('POST', '/Webhooks', { ...draftWithLogin, method: 'post' })
    expect(status).toBe(201)
    const adminClient = createApiClient(backend.app, backend.testData.keys.admin)
    expect(await adminClient('GET', `/Webhooks/${body.sid}`)).toMatchObject({
      status: 200,
      body: { ...draftWithLogin, webhook_sid: body.sid },
    })
    const sid = await createApplication()
    expect(await acmeClient('PUT', `/Applications/${sid}`, { call_hook: { webhook_sid: body.sid } })).toMatchObject({
      status: 204,
    })
    expect((await fetchApplication(sid)).call_hook).toEqual({ ...draftWithLogin, webhook_sid: body.sid })
    await acmeClient('DELETE', `/Applications/${sid}`)
    expect(await findOrphanedWebhooks(backend.database)).toEqual([])
    expect(await adminClient('GET', '/Webhooks/17479288-bb9f-421a-89d1-f4ac57af1dcb')).toMatchObject({ status: 404 })
  })

  it.each([
    ['missing field url', {}],
    ['url URL is invalid', { url: 'nonsense' }],
    [expect.stringContaining('url'), { url: 'https://example.com/a\0b' }],
    ['password is required together with username', { url: webhook.url, username: 'u' }],
  ])('cannot be created from an invalid body: %s', async (msg, invalidWebhook) => {
    expect(await acmeClient('POST', '/Webhooks', invalidWebhook)).toMatchObject({ status: 400, body: { msg } })
  })

  it('require username and password together, also if the body has only one', async () => {
    const sid = await createApplication({ call_hook: { ...webhook, username: 'u', password: 'p' } })
    const initialSnapshot = await takeSnapshot(backend.database)
    for (const [change, field] of [
      [{ password: null }, 'call_hook.password'],
      [{ username: '' }, 'call_hook.username'],
      [{ username: 'v', password: null }, 'call_hook.password'],
    ] as const)
      expect(await acmeClient('PUT', `/Applications/${sid}`, { call_hook: change })).toMatchObject({
        status: 400,
        body: { field },
      })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    await acmeClient('PUT', `/Applications/${sid}`, { call_hook: { password: 'q' } })
    expect((await fetchApplication(sid)).call_hook).toMatchObject({ username: 'u', password: 'q' })
    await acmeClient('PUT', `/Applications/${sid}`, { call_hook: { username: null, password: null } })
    expect((await fetchApplication(sid)).call_hook).toMatchObject({ username: null, password: null })
  })

  it('shared within a tenant are updated for all applications if the body has their SID, and copied otherwise', async () => {
    const [firstSid, secondSid] = [await createApplication(), await createApplication()]
    const { call_hook } = await fetchApplication(firstSid)
    expect(
      await acmeClient('PUT', `/Applications/${secondSid}`, { call_hook: { webhook_sid: call_hook.webhook_sid } }),
    ).toMatchObject({ status: 204 })
    await acmeClient('PUT', `/Applications/${secondSid}`, {
      call_hook: { webhook_sid: call_hook.webhook_sid, url: 'https://example.com/both' },
    })
    for (const sid of [firstSid, secondSid])
      expect((await fetchApplication(sid)).call_hook.url).toBe('https://example.com/both')
    await acmeClient('PUT', `/Applications/${secondSid}`, { call_hook: { url: 'https://example.com/two' } })
    expect((await fetchApplication(firstSid)).call_hook.url).toBe('https://example.com/both')
    await acmeClient('DELETE', `/Applications/${firstSid}`)
    expect((await fetchApplication(secondSid)).call_hook.url).toBe('https://example.com/two')
    expect(await findOrphanedWebhooks(backend.database)).toEqual([])
  })

  it('of other tenants cannot be linked or changed', async () => {
    const foreignWebhook = (
      await createApiClient(backend.app, backend.testData.keys.bolt)(
        'GET',
        `/Applications/${backend.testData.bolt.application}`,
      )
    ).body.call_hook
    const sid = await createApplication()
    const initialSnapshot = await takeSnapshot(backend.database)
    for (const call_hook of [
      { webhook_sid: foreignWebhook.webhook_sid },
      { ...foreignWebhook, url: 'https://evil.example.com' },
    ]) {
      const refusal = { status: 400, body: { msg: 'unknown webhook_sid', field: 'call_hook.webhook_sid' } }
      expect(await acmeClient('PUT', `/Applications/${sid}`, { call_hook })).toMatchObject(refusal)
      expect(
        await acmeClient(
          'POST',
          '/Applications',
          createDraft({ call_hook: { ...call_hook, url: 'https://example.com' } }),
        ),
      ).toMatchObject(refusal)
      expect(
        await acmeClient('PUT', `/Accounts/${backend.testData.acme.account}`, {
          registration_hook: { ...call_hook, url: 'https://example.com' },
        }),
      ).toMatchObject({ status: 400, body: { ...refusal.body, field: 'registration_hook.webhook_sid' } })
    }
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('shared with other tenants are copied when they change', async () => {
    const { db } = backend.database
    const { call_hook } = await fetchApplication(backend.testData.acme.application)
    await db
      .updateTable('applications')
      .set({ call_hook_sid: call_hook.webhook_sid })
      .where('application_sid', '=', backend.testData.corp.application)
      .execute()
    await acmeClient('PUT', applicationPath, { call_hook: { ...call_hook, url: 'https://example.com/copied' } })
    const corpApplication = await createApiClient(backend.app, backend.testData.keys.corp)(
      'GET',
      `/Applications/${backend.testData.corp.application}`,
    )
    expect(corpApplication.body.call_hook).toEqual(call_hook)
    const copiedWebhook = (await fetchApplication(backend.testData.acme.application)).call_hook
    expect(copiedWebhook).toMatchObject({ url: 'https://example.com/copied' })
    expect(copiedWebhook.webhook_sid).not.toBe(call_hook.webhook_sid)
  })
})
