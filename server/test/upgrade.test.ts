import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../src/composition/app'
import { compose, type Composition } from '../src/composition/compose'
import { readConfig } from '../src/config/config'

/**
 * A data folder that an older version wrote: an account with a carrier, an application, a phone number, a routing
 * table, a SIP client, speech credentials, a user, an API key, three calls and an alert. Its newest migration is 0014.
 */
const databaseFile = join(import.meta.dirname, 'fixtures', 'database-0014.sqlite.gz')
const accountSid = '1ef10b6a-bb6b-4f20-93ea-777d35a37c3e'
const accountKey = '8ba5e17f-f73d-4fb3-b44a-25cfe7344d8e'

describe('a data folder of an older version', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-upgrade-'))
  let composition: Composition
  let app: FastifyInstance
  let token: string

  beforeAll(async () => {
    writeFileSync(join(folder, 'trunkline.sqlite'), gunzipSync(readFileSync(databaseFile)))
    const config = readConfig({
      DATA_DIR: folder,
      JWT_SECRET: 'jwt-secret-of-the-fixture',
      ENCRYPTION_SECRET: 'encryption-secret-fixture',
    })
    composition = await compose(config, { logError: (message) => expect.fail(message) })
    const consoleFolder = join(folder, 'no-console')
    app = await buildApp({ config, services: composition.services, consoleFolder, version: '0.0.0' })
  })
  afterAll(async () => {
    await app.close()
    await composition.close()
    rmSync(folder, { recursive: true })
  })

  const get = async (path: string, credential = token) => {
    const response = await app.inject({ url: `/v1${path}`, headers: { authorization: `Bearer ${credential}` } })
    expect(response.statusCode, response.body).toBe(200)
    return response.json()
  }

  it('keeps users and their passwords', async () => {
    for (const [username, password] of [
      ['robin', 'Robin-Pass-2026'],
      ['admin', 'First-password-1'],
    ]) {
      const response = await app.inject({ method: 'POST', url: '/v1/login', payload: { username, password } })
      expect(response.statusCode, response.body).toBe(200)
      token = response.json().token
    }
  })

  it.each([
    ['/Accounts', 'name', ['Harbor Dental', 'default account']],
    ['/VoipCarriers', 'name', ['Northwind']],
    ['/SipGateways?voip_carrier_sid=e6c9af56-46c3-4ee8-a551-2a58c44abbd1', 'ipv4', ['198.51.100.7']],
    [`/Accounts/${accountSid}/Applications`, 'name', ['Reception']],
    ['/PhoneNumbers', 'number', ['14155550100']],
    ['/Clients', 'username', ['desk']],
    ['/Lcrs', 'name', ['Default routing']],
    [`/Accounts/${accountSid}/SpeechCredentials`, 'vendor', ['deepgram']],
  ])('lists the records of %s', async (path, column, values) => {
    const rows: Record<string, unknown>[] = await get(path)
    expect(rows.map((row) => row[column]).sort()).toEqual(values)
  })

  it('decrypts its secrets', async () => {
    const [application] = await get(`/Accounts/${accountSid}/Applications`)
    expect(application.call_hook).toMatchObject({ username: 'hook', password: 'Hook-password-1' })
    const [carrier] = await get('/VoipCarriers')
    expect(carrier.register_password).toBe('Carrier-password-1')
  })

  it('keeps calls and alerts, and accepts its API keys', async () => {
    const range = 'page=1&count=25&start=2026-11-23T00:00:00Z&end=2026-11-24T00:00:00Z'
    const calls = await get(`/Accounts/${accountSid}/RecentCalls?${range}`, accountKey)
    expect(calls.total).toBe(3)
    expect(calls.data[0].from).toBe('15550000001')
    expect((await get(`/Accounts/${accountSid}/Alerts?${range}`, accountKey)).total).toBe(1)
  })
})
