import { screen, waitFor } from '@testing-library/react'
import type { Application } from '@trunkline/contract/shapes/application'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { secretEncryption } from '../../server/src/secrets/encryption'
import { choose, input, searchAndChoose, expectValue } from './form-inputs'
import { useBackend } from './render'

const { render, ask, world, backend } = useBackend({ appEnvPrivateTargets: true })

const schema = {
  GREETING: { type: 'string', description: 'Said first', required: true, default: 'Hello' },
  COUNT: { type: 'number', description: 'How often' },
  LOUD: { type: 'boolean', description: 'Shouts', required: true },
  MODE: { type: 'string', description: 'How fast', enum: ['slow', 'fast'] },
  SIZE: { type: 'number', description: 'How big', enum: [1, 2] },
  TOKEN: { type: 'string', description: 'Kept secret', obscure: true },
  NOTES: { type: 'string', description: 'Much text', uiHint: 'textarea' },
  SCRIPT: { type: 'string', description: 'A file', uiHint: 'filepicker' },
  TRUNK: { type: 'string', description: 'Calls go out here', jambonzResource: 'carriers' },
}

const stored = { GREETING: 'Good day', LOUD: true }

let webhook: Server
let url: string
let says: unknown
// compile the form before the tests, so that they do not time out
beforeAll(() => import('../src/features/applications/form'), 120_000)
beforeAll(async () => {
  webhook = createServer((_, response) =>
    response
      .writeHead(says === undefined ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(says ?? {})),
  )
  await new Promise<void>((done) => webhook.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/call`
})
beforeEach(() => {
  says = schema
})
afterAll(() => {
  webhook.closeAllConnections()
  webhook.close()
})

let serial = 0
const add = async (draft: object = {}) =>
  (
    await ask<{ sid: string }>('admin', 'POST', '/Applications', {
      account_sid: world().accounts.acme,
      name: `knows ${++serial}`,
      call_hook: { url },
      call_status_hook: { url },
      ...draft,
    })
  ).sid
const variables = async (sid: string) => (await ask<Application>('admin', 'GET', `/Applications/${sid}`)).env_vars
const page = (sid: string) => `/internal/applications/${sid}/edit`
const save = () => screen.findByText('Save')

describe('recording all calls', () => {
  it('is a setting of the application if call recording is enabled', async () => {
    const sid = await add({ call_hook: { url: `${url}/recorded` } })
    const { user } = await render(page(sid), { as: 'acme' })
    await user.click(await input('Record all calls'))
    await user.click(await save())
    await waitFor(async () =>
      expect(await ask<Application>('admin', 'GET', `/Applications/${sid}`)).toMatchObject({ record_all_calls: 1 }),
    )
  })

  it('is not offered if call recording is disabled', async () => {
    await render('/internal/applications/add', { as: 'acme', features: { callRecording: false } })
    await input('Application name')
    expect(screen.queryByLabelText('Record all calls')).toBeNull()
  })
})

describe("an application's environment variables", () => {
  it('have the fields that the webhook describes, and are sent with the right types', async () => {
    const sid = await add()
    const { user } = await render(page(sid), { as: 'north' })
    await expectValue('GREETING', 'Hello')
    expect(screen.getByText('Said first')).toBeTruthy()
    await user.type(await input('COUNT'), '0')
    await choose(user, 'MODE', 'fast')
    await choose(user, 'SIZE', '2')
    await user.click(await save())
    expect(await screen.findByText('Application updated successfully')).toBeTruthy()
    expect(await variables(sid)).toEqual({ GREETING: 'Hello', COUNT: 0, LOUD: false, MODE: 'fast', SIZE: 2 })
    // the saved value is selected again, even a number
    await expectValue('SIZE', '2')
  })

  it('are kept if the server cannot decrypt them', async () => {
    const sid = await add({ env_vars: stored })
    const sealed = secretEncryption('another secret').encrypt(JSON.stringify(stored))
    await backend().services.applications.update(sid, { env_vars: sealed })
    const { user } = await render(page(sid), { as: 'north' })
    expect(await screen.findByText(/^The stored environment variables cannot be decrypted/)).toBeTruthy()
    expect(screen.queryByLabelText('COUNT')).toBeNull()
    await user.type(await input('Application name'), ' more')
    await user.click(await save())
    expect(await screen.findByText('Application updated successfully')).toBeTruthy()
    const row = await backend()
      .database.db.selectFrom('applications')
      .select('env_vars')
      .where('application_sid', '=', sid)
      .executeTakeFirst()
    expect(row?.env_vars).toBe(sealed)
  })

  it('can be secrets, long texts, files and carriers', async () => {
    const sid = await add({ env_vars: stored })
    const { user } = await render(page(sid), { as: 'acme' })
    await choose(user, 'TRUNK', 'acme trunk')
    const token = await input('TOKEN')
    expect(token.type).toBe('password')
    await user.type(token, 's3cret')
    expect((await input('NOTES')).tagName).toBe('TEXTAREA')
    await user.upload(screen.getByLabelText('File for SCRIPT'), new File(['say hello'], 'script.txt'))
    await expectValue('SCRIPT', 'say hello')
    await user.click(await save())
    expect(await screen.findByText('Application updated successfully')).toBeTruthy()
    expect(await variables(sid)).toEqual({ ...stored, TOKEN: 's3cret', SCRIPT: 'say hello', TRUNK: 'acme trunk' })
  })

  it('search carriers by name on the server, and store the name', async () => {
    const voip = (name: string) => ({ name, service_provider_sid: world().providers.north })
    // in batches: each request signs in, and the server refuses sign-ins if too many are queued
    for (let from = 0; from < 60; from += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          ask('admin', 'POST', '/VoipCarriers', voip(`many ${String(from + at).padStart(2, '0')}`)),
        ),
      )
    for (const name of ['zephyr', 'zephyr']) await ask('admin', 'POST', '/VoipCarriers', voip(name))
    const sid = await add({ env_vars: { ...stored, TRUNK: 'many 59' } })
    const fetched = vi.spyOn(globalThis, 'fetch')
    const { user } = await render(page(sid), { as: 'north' })
    // the carrier is not on the first page, but is shown anyway
    await expectValue('TRUNK', 'many 59')
    await searchAndChoose(user, 'TRUNK', 'zeph', 'zephyr')
    await user.click(await save())
    expect(await screen.findByText('Application updated successfully')).toBeTruthy()
    expect(await variables(sid)).toMatchObject({ TRUNK: 'zephyr' })
    const asked = fetched.mock.calls.map(([to]) => to as string).filter((to) => to.includes('VoipCarriers'))
    fetched.mockRestore()
    expect(asked.filter((to) => !/[?&]page=1&page_size=50/.test(to))).toEqual([])
  })

  it('are validated before anything is sent', async () => {
    const sid = await add({ env_vars: stored })
    const { user } = await render(page(sid), { as: 'acme' })
    await expectValue('GREETING', 'Good day')
    await user.clear(await input('GREETING'))
    await user.type(await input('COUNT'), 'many')
    await user.click(await save())
    expect(await screen.findByText('GREETING is required.')).toBeTruthy()
    expect(screen.getByText('COUNT must be a number.')).toBeTruthy()
    expect(await variables(sid)).toEqual(stored)
  })

  it('follow the webhook URL, even if the form is saved at once', async () => {
    says = { NAME: { type: 'string', description: 'Who speaks', required: true } }
    const { user } = await render('/internal/applications/add', { as: 'acme' })
    await user.type(await input('Application name'), 'hasty')
    await user.click(await input('Call status webhook'))
    await user.paste('https://a.example.com/status')
    await user.click(await input('Calling webhook'))
    await user.paste(`${url}/hasty`)
    await user.click(await save())
    expect(await screen.findByText('NAME is required.')).toBeTruthy()
    await user.type(await input('NAME'), 'Ada')
    await user.click(await save())
    expect(await screen.findByText('Application created successfully')).toBeTruthy()
    const all = await ask<Application[]>('acme', 'GET', '/Applications')
    expect(all.find(({ name }) => name === 'hasty')?.env_vars).toEqual({ NAME: 'Ada' })
  })

  it('are kept if the webhook does not describe them', async () => {
    const sid = await add({ env_vars: stored, call_hook: { url: `${url}/silent` } })
    says = undefined
    const { user } = await render(page(sid), { as: 'acme' })
    expect(
      await screen.findByText('The calling webhook does not list its variables. The 2 stored values are kept.'),
    ).toBeTruthy()
    await user.type(await input('Application name'), ' on')
    await user.click(await save())
    expect(await screen.findByText('Application updated successfully')).toBeTruthy()
    expect(await variables(sid)).toEqual(stored)
  })

  it('are cleared if all fields are empty', async () => {
    says = { NAME: { type: 'string', description: 'Who speaks' } }
    const sid = await add({ env_vars: { NAME: 'Ada' }, call_hook: { url: `${url}/cleared` } })
    const { user } = await render(page(sid), { as: 'acme' })
    await user.clear(await input('NAME'))
    await user.click(await save())
    await waitFor(async () => expect(await variables(sid)).toBeNull())
  })

  it("show an error if the webhook's response is invalid", async () => {
    const sid = await add({ call_hook: { url: `${url}/odd` } })
    says = []
    await render(page(sid), { as: 'acme' })
    expect(
      await screen.findByText('The variables of the calling webhook could not be loaded: Invalid appenv schema'),
    ).toBeTruthy()
  })
})
