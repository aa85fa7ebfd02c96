import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { orphans } from '../../../test/orphans'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'

const call = { url: 'https://example.com/call', method: 'POST', username: null, password: null }

describe.each(engines)('webhooks of applications (%s)', (engine) => {
  let backend: Backend
  let acme: ApiClient
  let path: string
  beforeAll(async () => {
    backend = await startBackend({ engine })
    acme = apiClient(backend.app, backend.world.keys.acme)
    path = `/Applications/${backend.world.acme.application}`
  })
  afterAll(() => backend.close())

  let serial = 0
  const draft = (overrides: object = {}) => ({
    name: `app ${++serial}`,
    call_hook: call,
    call_status_hook: call,
    ...overrides,
  })
  const create = async (overrides: object = {}): Promise<string> =>
    (await acme('POST', '/Applications', draft(overrides))).body.sid
  const read = (sid: string) => acme('GET', `/Applications/${sid}`).then(({ body }) => body)
  const hooks = async () => (await backend.database.db.selectFrom('webhooks').select('webhook_sid').execute()).length

  it('are updated in place with their SID and, if not shared, without it', async () => {
    const sid = await create()
    const initialValue = await hooks()
    const { call_hook } = await read(sid)
    for (const change of [{ ...call_hook, url: 'https://example.com/2' }, { url: 'https://example.com/3' }]) {
      expect(await acme('PUT', `/Applications/${sid}`, { call_hook: change })).toMatchObject({ status: 204 })
      expect((await read(sid)).call_hook).toMatchObject({ webhook_sid: call_hook.webhook_sid, url: change.url })
    }
    expect(await hooks()).toBe(initialValue)
  })

  it('are kept by {}, removed by null, and leave no unused rows', async () => {
    const sid = await create({ messaging_hook: call })
    const initialValue = await hooks()
    await acme('PUT', `/Applications/${sid}`, { messaging_hook: {}, call_hook: {} })
    expect(await read(sid)).toMatchObject({ messaging_hook: call, call_hook: call })
    expect(await acme('PUT', `/Applications/${sid}`, { messaging_hook: null })).toMatchObject({ status: 204 })
    expect(await read(sid)).toMatchObject({ messaging_hook: null, call_hook: call })
    expect(await hooks()).toBe(initialValue - 1)
    expect(await acme('DELETE', `/Applications/${sid}`)).toMatchObject({ status: 204 })
    expect(await hooks()).toBe(initialValue - 3)
    expect(await orphans(backend.database)).toEqual([])
  })

  it('are not removed if calls require them', async () => {
    const sid = await create()
    for (const name of ['call_hook', 'call_status_hook'])
      for (const cleared of [null, { url: '' }])
        expect(await acme('PUT', `/Applications/${sid}`, { [name]: cleared })).toMatchObject({
          status: 400,
          body: { msg: `missing field ${name}.url`, field: `${name}.url` },
        })
    expect(await read(sid)).toMatchObject({ call_hook: call, call_status_hook: call })
    // An application of another server may lack the webhook and can still be updated.
    const { db } = backend.database
    const { call_hook } = await read(sid)
    await db.updateTable('applications').set({ call_hook_sid: null }).where('application_sid', '=', sid).execute()
    await db.deleteFrom('webhooks').where('webhook_sid', '=', call_hook.webhook_sid).execute()
    expect(await acme('PUT', `/Applications/${sid}`, { call_hook: null, record_all_calls: 1 })).toMatchObject({
      status: 204,
    })
  })

  it('can be created alone and linked by SID, and are readable by administrators', async () => {
    const hook = { ...call, url: 'https://example.com/alone', username: 'u', password: 'p' }
    const { status, body } = await acme('POST', '/Webhooks', { ...hook, method: 'post' })
    expect(status).toBe(201)
    const admin = apiClient(backend.app, backend.world.keys.admin)
    expect(await admin('GET', `/Webhooks/${body.sid}`)).toMatchObject({
      status: 200,
      body: { ...hook, webhook_sid: body.sid },
    })
    const sid = await create()
    expect(await acme('PUT', `/Applications/${sid}`, { call_hook: { webhook_sid: body.sid } })).toMatchObject({
      status: 204,
    })
    expect((await read(sid)).call_hook).toEqual({ ...hook, webhook_sid: body.sid })
    await acme('DELETE', `/Applications/${sid}`)
    expect(await orphans(backend.database)).toEqual([])
    expect(await admin('GET', '/Webhooks/17479288-bb9f-421a-89d1-f4ac57af1dcb')).toMatchObject({ status: 404 })
  })

  it.each([
    ['missing field url', {}],
    ['url URL is invalid', { url: 'nonsense' }],
    ['password is required together with username', { url: call.url, username: 'u' }],
  ])('cannot be created with %s', async (msg, invalid) => {
    expect(await acme('POST', '/Webhooks', invalid)).toMatchObject({ status: 400, body: { msg } })
  })

  it('require username and password together, also if the body has only one', async () => {
    const sid = await create({ call_hook: { ...call, username: 'u', password: 'p' } })
    const initialSnapshot = await snapshot(backend.database)
    for (const [change, field] of [
      [{ password: null }, 'call_hook.password'],
      [{ username: '' }, 'call_hook.username'],
      [{ username: 'v', password: null }, 'call_hook.password'],
    ] as const)
      expect(await acme('PUT', `/Applications/${sid}`, { call_hook: change })).toMatchObject({
        status: 400,
        body: { field },
      })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    await acme('PUT', `/Applications/${sid}`, { call_hook: { password: 'q' } })
    expect((await read(sid)).call_hook).toMatchObject({ username: 'u', password: 'q' })
    await acme('PUT', `/Applications/${sid}`, { call_hook: { username: null, password: null } })
    expect((await read(sid)).call_hook).toMatchObject({ username: null, password: null })
  })

  it('shared within a tenant are updated for all with the SID, and copied without it', async () => {
    const [first, two] = [await create(), await create()]
    const { call_hook } = await read(first)
    expect(
      await acme('PUT', `/Applications/${two}`, { call_hook: { webhook_sid: call_hook.webhook_sid } }),
    ).toMatchObject({ status: 204 })
    await acme('PUT', `/Applications/${two}`, {
      call_hook: { webhook_sid: call_hook.webhook_sid, url: 'https://example.com/both' },
    })
    for (const sid of [first, two]) expect((await read(sid)).call_hook.url).toBe('https://example.com/both')
    await acme('PUT', `/Applications/${two}`, { call_hook: { url: 'https://example.com/two' } })
    expect((await read(first)).call_hook.url).toBe('https://example.com/both')
    await acme('DELETE', `/Applications/${first}`)
    expect((await read(two)).call_hook.url).toBe('https://example.com/two')
    expect(await orphans(backend.database)).toEqual([])
  })

  it('of other tenants cannot be linked or changed', async () => {
    const bolts = (
      await apiClient(backend.app, backend.world.keys.bolt)('GET', `/Applications/${backend.world.bolt.application}`)
    ).body.call_hook
    const sid = await create()
    const initialSnapshot = await snapshot(backend.database)
    for (const call_hook of [{ webhook_sid: bolts.webhook_sid }, { ...bolts, url: 'https://evil.example.com' }]) {
      const unknown = { status: 400, body: { msg: 'unknown webhook_sid', field: 'call_hook.webhook_sid' } }
      expect(await acme('PUT', `/Applications/${sid}`, { call_hook })).toMatchObject(unknown)
      expect(
        await acme('POST', '/Applications', draft({ call_hook: { ...call_hook, url: 'https://example.com' } })),
      ).toMatchObject(unknown)
      expect(
        await acme('PUT', `/Accounts/${backend.world.acme.account}`, {
          registration_hook: { ...call_hook, url: 'https://example.com' },
        }),
      ).toMatchObject({ status: 400, body: { ...unknown.body, field: 'registration_hook.webhook_sid' } })
    }
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('shared with other tenants are copied on a change', async () => {
    const { db } = backend.database
    const { call_hook } = await read(backend.world.acme.application)
    await db
      .updateTable('applications')
      .set({ call_hook_sid: call_hook.webhook_sid })
      .where('application_sid', '=', backend.world.corp.application)
      .execute()
    await acme('PUT', path, { call_hook: { ...call_hook, url: 'https://example.com/mine' } })
    const corp = await apiClient(backend.app, backend.world.keys.corp)(
      'GET',
      `/Applications/${backend.world.corp.application}`,
    )
    expect(corp.body.call_hook).toEqual(call_hook)
    const ownRecord = (await read(backend.world.acme.application)).call_hook
    expect(ownRecord).toMatchObject({ url: 'https://example.com/mine' })
    expect(ownRecord.webhook_sid).not.toBe(call_hook.webhook_sid)
  })
})
