import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { startFeatureServer } from '../../../test/doubles/feature-server'
import { createApiClient } from '../../../test/api-client'
import { noPlatform } from '../../ports/live-platform'

describe('applications of a new call', () => {
  let backend: Backend
  let featureServer: Awaited<ReturnType<typeof startFeatureServer>>
  beforeAll(async () => {
    featureServer = await startFeatureServer()
    const livePlatform = { ...noPlatform, listFeatureServers: () => Promise.resolve([featureServer.url]) }
    backend = await startBackend({ externalServices: { livePlatform } })
  })
  beforeEach(() => {
    featureServer.requests.length = 0
  })
  afterAll(async () => {
    featureServer.stop()
    await backend.close()
  })

  const startCall = (overrides: object) =>
    createApiClient(backend.app, backend.testData.keys.acme)(
      'POST',
      `/Accounts/${backend.testData.acme.account}/Calls`,
      {
        from: '15551230000',
        to: { type: 'phone', number: '442012' },
        call_hook: 'https://a.example/hook',
        speech_synthesis_vendor: 'google',
        speech_synthesis_language: 'en-US',
        speech_synthesis_voice: 'en-US-Standard-C',
        speech_recognizer_vendor: 'google',
        speech_recognizer_language: 'en-US',
        ...overrides,
      },
    )

  it('are refused if the callee is the application of another account', async () => {
    const { application } = backend.testData.bolt
    for (const name of [`app-${application}`, `app-${application}@acme.example.com`])
      expect(await startCall({ to: { type: 'user', name } })).toMatchObject({
        status: 400,
        body: { msg: `application_sid not found ${application}`, field: 'to' },
      })
    expect((await startCall({ to: { type: 'user', name: `app-${application.toUpperCase()}` } })).status).toBe(400)
    expect(featureServer.requests).toEqual([])
  })

  it('are accepted if the callee is an application of the account, and similar usernames are accepted too', async () => {
    for (const name of [`app-${backend.testData.acme.application}`, 'app-store', 'jo'])
      expect(await startCall({ to: { type: 'user', name } })).toMatchObject({ status: 201 })
    expect(featureServer.requests).toHaveLength(3)
  })

  it.each([[['x']], [{ sid: 'x' }], [7], [false]])(
    'are refused as %j, which is not a string',
    async (application_sid) => {
      expect(await startCall({ application_sid })).toMatchObject({
        status: 400,
        body: { msg: `application_sid not found ${JSON.stringify(application_sid)}`, field: 'application_sid' },
      })
      expect(featureServer.requests).toEqual([])
    },
  )

  it('replace only the webhooks that they have, so the others in the body must be valid', async () => {
    const { application: application_sid } = backend.testData.acme
    await backend.database.db
      .updateTable('applications')
      .set({ call_status_hook_sid: null })
      .where('application_sid', '=', application_sid)
      .execute()
    expect(await startCall({ application_sid, call_hook: 'replaced' })).toMatchObject({ status: 201 })
    featureServer.requests.length = 0
    expect(await startCall({ application_sid, call_status_hook: '/status' })).toMatchObject({
      status: 400,
      body: { msg: 'call_status_hook url be an absolute url', field: 'call_status_hook' },
    })
    expect(featureServer.requests).toEqual([])
  })
})
