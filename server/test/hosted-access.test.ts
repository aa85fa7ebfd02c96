import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiClient, createClients, listRoutes, takeSnapshot, type ApiClient, type Method } from './api-client'
import { startBackend } from './backend'
import { databaseEngines } from './databases'
import { startHostedBackend, type HostedBackend } from './hosted-backend'

const publicRoutes = [
  'POST /register',
  'POST /InviteCodes',
  'POST /login',
  'POST /signin',
  'POST /confirm-email',
  'GET /PredefinedCarriers',
  'GET /AccountTest/:service_provider_sid',
  'POST /messaging/:provider',
  'POST /outboundSMS',
]

/** Accepts a ticket instead of a credential, so that its handler checks both. */
const ticketRoute = 'GET /Accounts/:account_sid/RecentCalls/:call_sid/record/:yyyy/:mm/:dd/:format'

/** What the token of a registration may do before the address is confirmed. */
const registrantRoutes = ['POST /logout', 'POST /ActivationCode', 'PUT /ActivationCode/:code']

describe.each(databaseEngines)('access in the hosted edition (%s)', (databaseEngine) => {
  let backend: HostedBackend
  let hostedRoutes: string[]
  beforeAll(async () => {
    backend = await startHostedBackend({ databaseEngine })
    const selfHostedBackend = await startBackend()
    const selfHostedRoutes = new Set(await listRoutes(selfHostedBackend.app))
    hostedRoutes = (await listRoutes(backend.app)).filter((route) => !selfHostedRoutes.has(route))
    await selfHostedBackend.close()
  })
  afterAll(() => backend.close())

  const send = (client: ApiClient, route: string) => {
    const [method, path] = route.split(' ') as [Method, string]
    return client(
      method,
      path.replace(/:\w+/g, () => randomUUID()),
      method === 'GET' ? undefined : {},
    )
  }

  it('requires a credential, except for public routes', async () => {
    expect(hostedRoutes).toEqual(expect.arrayContaining(['POST /register', 'PUT /ActivationCode/:code']))
    for (const route of (await listRoutes(backend.app)).filter((route) => !publicRoutes.includes(route)))
      expect({ route, ...(await send(backend.anonymousClient, route)) }).toMatchObject({
        route,
        status: 401,
        body: 'Unauthorized',
      })
  })

  it('is refused before the email address is confirmed', async () => {
    const { body: registration } = await backend.register('jo@new.example.com')
    const client = createApiClient(backend.app, registration.jwt)
    const initialSnapshot = await takeSnapshot(backend.database)
    const refusedRoutes = (await listRoutes(backend.app)).filter(
      (route) => ![...publicRoutes, ...registrantRoutes, ticketRoute].includes(route),
    )
    expect(await send(client, ticketRoute)).toMatchObject({ status: 401, body: 'Unauthorized' })
    for (const route of refusedRoutes)
      expect({ route, ...(await send(client, route)) }).toMatchObject({
        route,
        status: 403,
        body: { msg: 'Confirm your email address to continue.' },
      })
    expect(await client('GET', '/Nothing')).toMatchObject({ status: 403 })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('permits view-only users to change nothing', async () => {
    const { viewer } = await createClients(backend)
    for (const route of hostedRoutes.filter((route) => !route.startsWith('GET') && !publicRoutes.includes(route)))
      expect({ route, ...(await send(viewer, route)) }).toMatchObject({
        route,
        status: 403,
        body: { msg: 'User has view-only access' },
      })
  })
})
