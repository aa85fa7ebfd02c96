import { screen, waitFor } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/webhook'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findInput } from './form-inputs'
import { startV1Server } from './v1-server'
import { useBackend } from './render'

const { render, requestAs, testData, backend } = useBackend({ appEnvPrivateTargets: true })

let webhook: Server
let webhookUrl: string
let webhookRequests: string[]
let webhookResponse: { status: number; body: string }
// compile the form before the tests, so that they do not time out
beforeAll(() => import('../src/features/applications/form'), 120_000)
beforeAll(async () => {
  webhook = createServer(({ method = '', url: path = '', headers }, response) => {
    if (method === 'OPTIONS') return void response.writeHead(404).end()
    webhookRequests.push(`${method} ${path.split('?')[0]} ${headers.authorization ?? ''}`)
    response.writeHead(webhookResponse.status, { 'content-type': 'application/json' }).end(webhookResponse.body)
  })
  await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve))
  webhookUrl = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/call`
})
beforeEach(() => {
  webhookRequests = []
  webhookResponse = { status: 200, body: '[{"verb":"say","text":"Hello"}]' }
})
afterAll(() => {
  webhook.closeAllConnections()
  webhook.close()
})

let applicationCount = 0
const addApplication = async () => {
  const draft = { account_sid: testData().accounts.acme, name: `tested ${++applicationCount}` }
  const hooks = { call_hook: { url: webhookUrl }, call_status_hook: { url: 'wss://example.com/status' } }
  return (await requestAs<{ sid: string }>('admin', 'POST', '/Applications', { ...draft, ...hooks })).sid
}
const editPath = (sid: string) => `/internal/applications/${sid}/edit`
const findTestButton = (label: string) => screen.findByLabelText<HTMLButtonElement>(`Test the ${label}`)

describe('the test of a webhook', () => {
  it('shows the response to the unsaved values of the form', async () => {
    const { user } = await render(editPath(await addApplication()), { as: 'acme' })
    await user.type(await findInput('Calling webhook'), '/changed')
    await user.click((await screen.findAllByLabelText('Use HTTP basic authentication'))[0]!)
    await user.type(await findInput('Username'), 'ann')
    await user.type(await findInput('Password'), 'pw')
    await user.click(await findTestButton('calling webhook'))
    expect(await screen.findByText('HTTP 200')).toBeTruthy()
    expect(screen.getByText(messages.test.valid)).toBeTruthy()
    expect(screen.getByText('application/json')).toBeTruthy()
    expect(screen.getByLabelText('Response of the calling webhook').textContent).toBe(webhookResponse.body)
    expect(webhookRequests).toEqual([`POST /call/changed Basic ${Buffer.from('ann:pw').toString('base64')}`])
  })

  it('shows the error of a response until the webhook is changed', async () => {
    webhookResponse.body = '[{"verb":"play"}]'
    const { user } = await render(editPath(await addApplication()), { as: 'north' })
    await user.click(await findTestButton('calling webhook'))
    expect(await screen.findByText('play: missing value for url')).toBeTruthy()
    await user.type(await findInput('Calling webhook'), '2')
    await waitFor(() => expect(screen.queryByText('HTTP 200')).toBeNull())
  })

  it('shows why there was no response', async () => {
    const { user } = await render(editPath(await addApplication()), { as: 'acme' })
    await user.clear(await findInput('Calling webhook'))
    await user.type(await findInput('Calling webhook'), 'http://127.0.0.1:1/')
    await user.click(await findTestButton('calling webhook'))
    expect(await screen.findByText('127.0.0.1 refused the connection.')).toBeTruthy()
  })

  it('is disabled without a URL and for WebSocket, with an explanation', async () => {
    await render(editPath(await addApplication()), { as: 'acme' })
    expect((await findTestButton('call status webhook')).disabled).toBe(true)
    expect((await findTestButton('messaging webhook')).disabled).toBe(true)
    expect((await findTestButton('calling webhook')).disabled).toBe(false)
    expect(screen.getAllByText(messages.test.onlyHttp)).toHaveLength(1)
  })

  it('is not offered before the application is saved', async () => {
    await render('/internal/applications/add', { as: 'acme' })
    await findInput('Calling webhook')
    expect(screen.queryByLabelText('Test the calling webhook')).toBeNull()
  })

  it('is not offered to view-only users', async () => {
    await render(editPath(await addApplication()), { as: 'viewer' })
    await screen.findByRole('heading', { name: 'Webhooks' })
    expect(screen.queryByLabelText('Test the calling webhook')).toBeNull()
  })

  it('is not offered by a server that cannot test', async () => {
    const sid = await addApplication()
    const v1Server = await startV1Server(backend().app)
    await render(editPath(sid), { as: 'acme', features: { apiBaseUrl: v1Server.apiBaseUrl } })
    await findInput('Calling webhook')
    expect(screen.queryByLabelText('Test the calling webhook')).toBeNull()
    v1Server.close()
  })
})
