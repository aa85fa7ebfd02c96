import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from './backend'
import { apiClient, type ApiClient } from './speak'

/** Collections that respond with 404 to malformed SIDs of their records. */
const unchecked =
  /^\/v1\/(Lcrs|LcrRoutes|LcrCarrierSetEntries|Clients|MicrosoftTeamsTenants|SipGateways|SmppGateways|ApiKeys|GoogleCustomVoices|Sbcs|Smpps)\//
/** Voice servers choose the SIDs of calls, so an unknown call is a 404, whatever its format. */
const ofCalls = /^\/Accounts\/[^/]+\/Calls\/|\/RecentCalls\//

type Methods = Record<string, object>

describe('a malformed SID in a path', () => {
  let backend: Backend
  let admin: ApiClient
  let acme: ApiClient
  beforeAll(async () => {
    backend = await startBackend()
    admin = apiClient(backend.app, backend.world.keys.admin)
    acme = apiClient(backend.app, backend.world.keys.acme)
  })
  afterAll(() => backend.close())

  /** The paths of all routes, once per SID in them: with this SID malformed, and acme's SIDs otherwise. */
  const addresses = () => {
    const { paths = {} } = backend.app.swagger() as { paths?: Record<string, Methods> }
    const known: Record<string, string> = {
      account_sid: backend.world.accounts.acme,
      service_provider_sid: backend.world.providers.north,
    }
    const sidOf = (name: string) => known[name] ?? '00000000-0000-4000-8000-000000000000'
    return Object.entries(paths)
      .filter(([path]) => !unchecked.test(path) && !path.startsWith('/v1/AccountTest/'))
      .flatMap(([path, methods]) =>
        [...path.matchAll(/\{(\w+_sid)\}/g)].flatMap(([, malformed]) =>
          Object.keys(methods).map((method) => ({
            method: method.toUpperCase() as 'GET',
            malformed: malformed!,
            path: path
              .slice('/v1'.length)
              .replace(/\{(\w+)\}/g, (_, name: string) =>
                name === malformed ? 'foobarbaz' : name.endsWith('_sid') ? sidOf(name) : 'x',
              ),
          })),
        ),
      )
      .filter(({ path, malformed }) => !(ofCalls.test(path) && malformed === 'call_sid'))
  }

  it('is refused by every route that checks it', async () => {
    const all = addresses()
    expect(all.length).toBeGreaterThan(80)
    const responses = []
    for (const { method, path } of all) {
      const { status } = await admin(method, path)
      if (status !== 400) responses.push([method, path, status])
    }
    expect(responses).toEqual([])
  })

  it('causes a 400 or 403 for account users', async () => {
    const responses = []
    for (const { method, path } of addresses()) {
      const { status } = await acme(method, path)
      if (status !== 400 && status !== 403) responses.push([method, path, status])
    }
    expect(responses).toEqual([])
  })
})
