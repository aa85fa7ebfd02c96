import { screen, waitFor } from '@testing-library/react'
import type { Application } from '@trunkline/contract/shapes/application'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSecretEncryption } from '../../server/src/secrets/encryption'
import { selectOption, findInput, searchAndSelectOption, expectValue } from './form-inputs'
import { useBackend } from './render'

const { render, requestAs, testData, backend } = useBackend({ appEnvPrivateTargets: true })

const variableSchema = {
  GREETING: { type: 'string', description: 'Spoken first', required: true, default: 'Hello' },
  COUNT: { type: 'number', description: 'How often' },
  LOUD: { type: 'boolean', description: 'Shouts', required: true },
  MODE: { type: 'string', description: 'How fast', enum: ['slow', 'fast'] },
  SIZE: { type: 'number', description: 'How big', enum: [1, 2] },
  TOKEN: { type: 'string', description: 'Kept secret', obscure: true },
  NOTES: { type: 'string', description: 'A long text', uiHint: 'textarea' },
  SCRIPT: { type: 'string', description: 'A file', uiHint: 'filepicker' },
  TRUNK: { type: 'string', description: 'Calls go out here', jambonzResource: 'carriers' },
}

const storedVariables = { GREETING: 'Good day', LOUD: true }

let webhook: Server
let webhookUrl: string
let declaredVariables: unknown
// compile the form before the tests, so that they do not time out
beforeAll(() => import('../src/features/applications/form'), 120_000)
beforeAll(async () => {
  webhook = createServer((_, response) =>
    response
      .writeHead(declaredVariables === undefined ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(declaredVariables ?? {})),
  )
  await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve))
  webhookUrl = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/call`
})
beforeEach(() => {
  declaredVariables = variableSchema
})
afterAll(() => {
  webhook.closeAllConnections()
  webhook.close()
})

let applicationCount = 0
const addApplication = async (draft: object = {}) =>
  (
    await requestAs<{ sid: string }>('admin', 'POST', '/Applications', {
      account_sid: testData().accounts.acme,
      name: `application ${++applicationCount}`,
      call_hook: { url: webhookUrl },
      call_status_hook: { url: webhookUrl },
      ...draft,
    })
  ).sid
const readVariables = async (sid: string) =>
  (await requestAs<Application>('admin', 'GET', `/Applications/${sid}`)).env_vars
const editPath = (sid: string) => `/internal/applications/${sid}/edit`
const findSaveButton = () => screen.findByText('Save')

describe('recording all calls', () => {
  it('is a setting of the application if call recording is enabled', async () => {
    const sid = await addApplication({ call_hook: { url: `${webhookUrl}/recorded` } })
    const { user } = await render(editPath(sid), { as: 'acme' })
    await user.click(await findInput('Record all calls'))
    await user.click(await findSaveButton())
    await waitFor(async () =>
      expect(await requestAs<Application>('admin', 'GET', `/Applications/${sid}`)).toMatchObject({
        record_all_calls: 1,
      }),
    )
  })

  it('is not offered if call recording is disabled', async () => {
    await render('/internal/applications/add', { as: 'acme', features: { callRecording: false } })
    await findInput('Application name')
    expect(screen.queryByLabelText('Record all calls')).toBeNull()
  })
})

describe("an application's environment variables", () => {
  it('have the fields that the webhook describes, and are sent with the right types', async () => {
    const sid = await addApplication()
    const { user } = await render(editPath(sid), { as: 'north' })
    await expectValue('GREETING', 'Hello')
    expect(screen.getByText('Spoken first')).toBeTruthy()
    await user.type(await findInput('COUNT'), '0')
    await selectOption(user, 'MODE', 'fast')
    await selectOption(user, 'SIZE', '2')
    await user.click(await findSaveButton())
    expect(await screen.findByText('Application updated successfully')).toBeTruthy()
    expect(await readVariables(sid)).toEqual({ GREETING: 'Hello', COUNT: 0, LOUD: false, MODE: 'fast', SIZE: 2 })
    // the saved value is selected again, even a number
    await expectValue('SIZE', '2')
  })

  it('are kept if the server cannot decrypt them', async () => {
    const sid = await addApplication({ env_vars: storedVariables })
    const undecryptableVariables = createSecretEncryption('another secret').encrypt(JSON.stringify(storedVariables))
    await backend().services.applications.update(sid, { env_vars: undecryptableVariables })
    const { user } = await render(editPath(sid), { as: 'north' })
    expect(await screen.findByText(/^The stored environment variables cannot be decrypted/)).toBeTruthy()
    expect(screen.queryByLabelText('COUNT')).toBeNull()
    await user.type(await findInput('Application name'), ' more')
    await user.click(await findSaveButton())
    expect(await screen.findByText('Application updated successfully')).toBeTruthy()
    const row = await backend()
      .database.db.selectFrom('applications')
      .select('env_vars')
      .where('application_sid', '=', sid)
      .executeTakeFirst()
    expect(row?.env_vars).toBe(undecryptableVariables)
  })

  it('can be secrets, long texts, files and carriers', async () => {
    const sid = await addApplication({ env_vars: storedVariables })
    const { user } = await render(editPath(sid), { as: 'acme' })
    await selectOption(user, 'TRUNK', 'acme trunk')
    const tokenField = await findInput('TOKEN')
    expect(tokenField.type).toBe('password')
    await user.type(tokenField, 's3cret')
    expect((await findInput('NOTES')).tagName).toBe('TEXTAREA')
    await user.upload(screen.getByLabelText('File for SCRIPT'), new File(['say hello'], 'script.txt'))
    await expectValue('SCRIPT', 'say hello')
    await user.click(await findSaveButton())
    expect(await screen.findByText('Application updated successfully')).toBeTruthy()
    expect(await readVariables(sid)).toEqual({
      ...storedVariables,
      TOKEN: 's3cret',
      SCRIPT: 'say hello',
      TRUNK: 'acme trunk',
    })
  })

  it('search carriers by name on the server, and store the name', async () => {
    const carrierDraft = (name: string) => ({ name, service_provider_sid: testData().providers.north })
    // in batches: each request signs in, and the server refuses sign-ins if too many are queued
    for (let offset = 0; offset < 60; offset += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          requestAs('admin', 'POST', '/VoipCarriers', carrierDraft(`many ${String(offset + index).padStart(2, '0')}`)),
        ),
      )
    for (const name of ['zephyr', 'zephyr']) await requestAs('admin', 'POST', '/VoipCarriers', carrierDraft(name))
    const sid = await addApplication({ env_vars: { ...storedVariables, TRUNK: 'many 59' } })
    const fetchSpy = vi.spyOn(globalThis, 'fetch')
    const { user } = await render(editPath(sid), { as: 'north' })
    // the carrier is not on the first page, but is shown anyway
    await expectValue('TRUNK', 'many 59')
    await searchAndSelectOption(user, 'TRUNK', 'zeph', 'zephyr')
    await user.click(await findSaveButton())
    expect(await screen.findByText('Application updated successfully')).toBeTruthy()
    expect(await readVariables(sid)).toMatchObject({ TRUNK: 'zephyr' })
    const carrierRequests = fetchSpy.mock.calls
      .map(([requestUrl]) => requestUrl as string)
      .filter((requestUrl) => requestUrl.includes('VoipCarriers'))
    fetchSpy.mockRestore()
    expect(carrierRequests.filter((requestUrl) => !/[?&]page=1&page_size=50/.test(requestUrl))).toEqual([])
  })

  it('are validated before anything is sent', async () => {
    const sid = await addApplication({ env_vars: storedVariables })
    const { user } = await render(editPath(sid), { as: 'acme' })
    await expectValue('GREETING', 'Good day')
    await user.clear(await findInput('GREETING'))
    await user.type(await findInput('COUNT'), 'many')
    await user.click(await findSaveButton())
    expect(await screen.findByText('GREETING is required.')).toBeTruthy()
    expect(screen.getByText('COUNT must be a number.')).toBeTruthy()
    expect(await readVariables(sid)).toEqual(storedVariables)
  })

  it('follow the webhook URL, even if the form is saved at once', async () => {
    declaredVariables = { NAME: { type: 'string', description: 'Who speaks', required: true } }
    const { user } = await render('/internal/applications/add', { as: 'acme' })
    await user.type(await findInput('Application name'), 'hasty')
    await user.click(await findInput('Call status webhook'))
    await user.paste('https://a.example.com/status')
    await user.click(await findInput('Calling webhook'))
    await user.paste(`${webhookUrl}/hasty`)
    await user.click(await findSaveButton())
    expect(await screen.findByText('NAME is required.')).toBeTruthy()
    await user.type(await findInput('NAME'), 'Ada')
    await user.click(await findSaveButton())
    expect(await screen.findByText('Application created successfully')).toBeTruthy()
    const applications = await requestAs<Application[]>('acme', 'GET', '/Applications')
    expect(applications.find(({ name }) => name === 'hasty')?.env_vars).toEqual({ NAME: 'Ada' })
  })

  it('are kept if the webhook does not describe them', async () => {
    const sid = await addApplication({ env_vars: storedVariables, call_hook: { url: `${webhookUrl}/silent` } })
    declaredVariables = undefined
    const { user } = await render(editPath(sid), { as: 'acme' })
    expect(
      await screen.findByText('The calling webhook does not list its variables. The 2 stored values are kept.'),
    ).toBeTruthy()
    await user.type(await findInput('Application name'), ' on')
    await user.click(await findSaveButton())
    expect(await screen.findByText('Application updated successfully')).toBeTruthy()
    expect(await readVariables(sid)).toEqual(storedVariables)
  })

  it('are cleared if all fields are empty', async () => {
    declaredVariables = { NAME: { type: 'string', description: 'Who speaks' } }
    const sid = await addApplication({ env_vars: { NAME: 'Ada' }, call_hook: { url: `${webhookUrl}/cleared` } })
    const { user } = await render(editPath(sid), { as: 'acme' })
    await user.clear(await findInput('NAME'))
    await user.click(await findSaveButton())
    await waitFor(async () => expect(await readVariables(sid)).toBeNull())
  })

  it("show an error if the webhook's response is invalid", async () => {
    const sid = await addApplication({ call_hook: { url: `${webhookUrl}/odd` } })
    declaredVariables = []
    await render(editPath(sid), { as: 'acme' })
    expect(
      await screen.findByText('The variables of the calling webhook could not be loaded: Invalid appenv schema'),
    ).toBeTruthy()
  })
})
