import { describe, expect, it } from 'vitest'
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
