import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { startBackend, type Backend } from '../../test/backend'
import { listRoutes } from '../../test/api-client'

let backend: Backend
beforeAll(async () => {
  // With every option, because some routes depend on it.
  const mail = { send: () => Promise.resolve(), close: () => undefined }
  backend = await startBackend({
    config: { features: { ...defaultFeatureFlags, forgotPassword: true } },
    externalServices: { mail },
  })
})
afterAll(() => backend.close())

/** Routes that the contract generates but the API does not have. */
const unusedContractRoutes = [
  'GET /ApiKeys',
  'GET /ApiKeys/:api_key_sid',
  'PUT /ApiKeys/:api_key_sid',
  'GET /Sbcs/:sbc_address_sid',
  'PUT /Sbcs/:sbc_address_sid',
  'GET /Smpps/:smpp_address_sid',
  'PUT /Smpps/:smpp_address_sid',
]

const resourceFolder = fileURLToPath(new URL('../../../contract/src/resources/', import.meta.url))

/** The routes that only the hosted edition has. */
const hostedResources = ['registration.ts', 'subscription.ts']

const routesIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return []
  if ('method' in value && 'path' in value) return [`${String(value.method)} ${String(value.path)}`]
  return Object.values(value).flatMap(routesIn)
}

describe('the description', () => {
  it('has every route of the contract except those of the hosted edition, and no other', async () => {
    const files = readdirSync(resourceFolder).filter((file) => !hostedResources.includes(file))
    const modules = await Promise.all(
      files.map((file) => import(resourceFolder + file) as Promise<Record<string, unknown>>),
    )
    const contractRoutes = new Set(
      modules.flatMap((exports) => routesIn({ ...exports })).filter((route) => !unusedContractRoutes.includes(route)),
    )
    expect((await listRoutes(backend.app)).sort()).toEqual([...contractRoutes].sort())
  })

  it('is OpenAPI 3, with schemas of requests and responses', async () => {
    const { statusCode, headers, body } = await backend.app.inject('/openapi.json')
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toMatch(/^application\/json/)
    const document = JSON.parse(body)
    expect(document.openapi).toMatch(/^3\./)
    expect(document.security).toEqual([{ bearer: [] }])
    expect(document.paths['/v1/login'].post.security).toEqual([])
    const createOperation = document.paths['/v1/PhoneNumbers'].post
    expect(createOperation.requestBody.content['application/json'].schema).toMatchObject({
      properties: { number: { type: 'string', maxLength: 132 } },
      required: ['number'],
    })
    const webhookTest = document.paths['/v1/Applications/{application_sid}/WebhookTest'].post
    expect(webhookTest.responses['200'].content['application/json'].schema.properties).toHaveProperty('duration_ms')
    expect(createOperation.responses['201'].content['application/json'].schema.properties).toHaveProperty('sid')
    expect(document.paths['/v1/logout'].post.responses).toEqual({ 204: { description: 'No content' } })
    const updateOperation = document.paths['/v1/SipGateways/{sip_gateway_sid}'].put
    expect(JSON.stringify(updateOperation.requestBody)).toContain('tls/srtp')
  })
})

describe('the documentation page', () => {
  it('works below /docs/api/, with a content policy without inline scripts', async () => {
    expect(await backend.app.inject('/docs/api')).toMatchObject({
      statusCode: 302,
      headers: { location: '/docs/api/' },
    })
    const page = await backend.app.inject('/docs/api/')
    expect(page.statusCode).toBe(200)
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'self';/)
    expect(policy).not.toMatch(/script-src|(default|connect)-src[^;]*unsafe/)
    // The policy would refuse a script without a URL.
    expect(page.body).not.toMatch(/<script(?![^>]*\ssrc=)/)
    expect(page.body).not.toMatch(/<\w[^>]*\son\w+=/)
    const assetPaths = [...page.body.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, path]) => `/docs/api/${path}`)
    expect(assetPaths.length).toBeGreaterThan(3)
    for (const path of assetPaths) expect((await backend.app.inject(path)).statusCode, path).toBe(200)
    const initializer = await backend.app.inject('/docs/api/static/swagger-initializer.js')
    expect(initializer.headers['content-type']).toMatch(/javascript/)
  })
})
