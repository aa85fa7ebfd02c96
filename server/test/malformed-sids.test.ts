import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from './backend'
import { createApiClient, type ApiClient } from './api-client'

/** Collections that respond with 404 to malformed SIDs of their records. */
const uncheckedPaths =
  /^\/v1\/(Lcrs|LcrRoutes|LcrCarrierSetEntries|Clients|MicrosoftTeamsTenants|SipGateways|SmppGateways|ApiKeys|GoogleCustomVoices|Sbcs|Smpps)\//
/** Voice servers choose the SIDs of calls, so an unknown call is a 404, whatever its format. */
const callPaths = /^\/Accounts\/[^/]+\/Calls\/|\/RecentCalls\//

type Methods = Record<string, object>

describe('a malformed SID in a path', () => {
  let backend: Backend
  let adminClient: ApiClient
  let acmeClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend()
    adminClient = createApiClient(backend.app, backend.testData.keys.admin)
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
  })
  afterAll(() => backend.close())

  /** The paths of all routes, once per SID in them: with this SID malformed, and acme's SIDs otherwise. */
  const listMalformedRequests = async () => {
    const { paths = {} } = (await backend.app.inject('/openapi.json')).json<{ paths?: Record<string, Methods> }>()
    const sidByName: Record<string, string> = {
      account_sid: backend.testData.accounts.acme,
      service_provider_sid: backend.testData.providers.north,
    }
    const sidOf = (name: string) => sidByName[name] ?? '00000000-0000-4000-8000-000000000000'
    return Object.entries(paths)
      .filter(([path]) => !uncheckedPaths.test(path) && !path.startsWith('/v1/AccountTest/'))
      .flatMap(([path, methods]) =>
        [...path.matchAll(/\{(\w+_sid)\}/g)].flatMap(([, malformedName]) =>
          Object.keys(methods).map((method) => ({
            method: method.toUpperCase() as 'GET',
            malformed: malformedName!,
            path: path
              .slice('/v1'.length)
              .replace(/\{(\w+)\}/g, (_, name: string) =>
                name === malformedName ? 'foobarbaz' : name.endsWith('_sid') ? sidOf(name) : 'x',
              ),
          })),
        ),
      )
      .filter(({ path, malformed }) => !(callPaths.test(path) && malformed === 'call_sid'))
  }

  it('is refused by every route that checks it', async () => {
    const requests = await listMalformedRequests()
    expect(requests.length).toBeGreaterThan(80)
    const unexpectedResponses = []
    for (const { method, path } of requests) {
      const { status } = await adminClient(method, path)
      if (status !== 400) unexpectedResponses.push([method, path, status])
    }
    expect(unexpectedResponses).toEqual([])
  })

  it('causes a 400 or 403 for account users', async () => {
    const unexpectedResponses = []
    for (const { method, path } of await listMalformedRequests()) {
      const { status } = await acmeClient(method, path)
      if (status !== 400 && status !== 403) unexpectedResponses.push([method, path, status])
    }
    expect(unexpectedResponses).toEqual([])
  })
})
