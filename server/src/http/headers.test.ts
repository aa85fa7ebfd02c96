import { describe, expect, it } from 'vitest'
import { capabilitiesHeader } from '@trunkline/contract/resources/session'
import { buildApp } from '../composition/app'
import { readConfig } from '../config/config'

describe('strict transport security', () => {
  it.each([
    ['https://console.example.com', 'max-age=15552000'],
    ['http://console.example.com', undefined],
  ])('is required if users reach the server over https: %s', async (PUBLIC_URL, header) => {
    const config = readConfig({ API_BASE_URL: 'https://api.example.com/v1', PUBLIC_URL, LOG_LEVEL: 'silent' })
    const app = await buildApp({ config, consoleFolder: '/none', version: '0' })
    for (const path of ['/', '/v1/Accounts', '/config.json'])
      expect((await app.inject(path)).headers['strict-transport-security']).toBe(header)
    await app.close()
  })
})

describe('the exposed headers of an API response', () => {
  it('are listed for requests from a page of another origin only', async () => {
    const app = await buildApp({ config: readConfig({ LOG_LEVEL: 'silent' }), consoleFolder: '/none', version: '0' })
    const readExposedHeaders = async (headers: Record<string, string>) =>
      (await app.inject({ url: '/v1/Accounts', headers })).headers['access-control-expose-headers']
    const exposedHeaders = await readExposedHeaders({ origin: 'https://console.example.com' })
    for (const name of [capabilitiesHeader, 'x-request-id', 'ratelimit-remaining'])
      expect(exposedHeaders).toContain(name)
    expect(await readExposedHeaders({})).toBeUndefined()
    await app.close()
  })
})
