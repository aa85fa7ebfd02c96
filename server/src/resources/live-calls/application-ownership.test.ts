import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { callServer } from '../../../test/doubles/call-server'
import { apiClient } from '../../../test/speak'
import { noPlatform } from '../../ports/live-platform'

describe('applications of a new call', () => {
  let backend: Backend
  let server: Awaited<ReturnType<typeof callServer>>
  beforeAll(async () => {
    server = await callServer()
    const live = { ...noPlatform, callServers: () => Promise.resolve([server.url]) }
    backend = await startBackend({ outside: { livePlatform: live } })
  })
  beforeEach(() => {
    server.requests.length = 0
  })
  afterAll(async () => {
    server.stop()
    await backend.close()
  })

  const call = (overrides: object) =>
    apiClient(backend.app, backend.world.keys.acme)('POST', `/Accounts/${backend.world.acme.account}/Calls`, {
      from: '15551230000',
      to: { type: 'phone', number: '442012' },
      call_hook: 'https://a.example/hook',
      speech_synthesis_vendor: 'google',
      speech_synthesis_language: 'en-US',
      speech_synthesis_voice: 'en-US-Standard-C',
      speech_recognizer_vendor: 'google',
      speech_recognizer_language: 'en-US',
      ...overrides,
    })

  it('are refused as the username of an application of another account', async () => {
    const { application } = backend.world.bolt
    for (const name of [`app-${application}`, `app-${application}@acme.example.com`])
      expect(await call({ to: { type: 'user', name } })).toMatchObject({
        status: 400,
        body: { msg: `application_sid not found ${application}`, field: 'to' },
      })
    expect((await call({ to: { type: 'user', name: `app-${application.toUpperCase()}` } })).status).toBe(400)
    expect(server.requests).toEqual([])
  })

  it('are accepted as the username of an own application, or as a similar name', async () => {
    for (const name of [`app-${backend.world.acme.application}`, 'app-store', 'jo'])
      expect(await call({ to: { type: 'user', name } })).toMatchObject({ status: 201 })
    expect(server.requests).toHaveLength(3)
  })

  it.each([[['x']], [{ sid: 'x' }], [7], [false]])(
    'are refused as %j, which is not a string',
    async (application_sid) => {
      expect(await call({ application_sid })).toMatchObject({
        status: 400,
        body: { msg: `application_sid not found ${JSON.stringify(application_sid)}`, field: 'application_sid' },
      })
      expect(server.requests).toEqual([])
    },
  )
})
