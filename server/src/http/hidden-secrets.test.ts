import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { databaseEngines } from '../../test/databases'
import { createApiClient, fetchToken, type ApiClient } from '../../test/api-client'

const secrets = {
  hook: 'hook-password-1',
  register: 'register-password-1',
  inboundAuth: 'inbound-password-1',
  variable: 'variable-secret-1',
  providerHook: 'provider-hook-password-1',
}

describe.each(databaseEngines)('secrets in responses (%s)', (databaseEngine) => {
  let backend: Backend
  let viewerClient: ApiClient
  let acmeClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    const { testData, services } = backend
    const adminClient = createApiClient(backend.app, testData.keys.admin)
    viewerClient = createApiClient(backend.app, await fetchToken(backend.app, 'viewer'))
    acmeClient = createApiClient(backend.app, await fetchToken(backend.app, 'acme'))
    const hook = { url: 'https://hook.example.com', method: 'POST', username: 'u', password: secrets.hook }
    const noContent = { status: 204 }
    expect(await adminClient('PUT', `/Accounts/${testData.accounts.acme}`, { registration_hook: hook })).toMatchObject(
      noContent,
    )
    expect(await adminClient('PUT', `/Applications/${testData.acme.application}`, { call_hook: hook })).toMatchObject(
      noContent,
    )
    await services.applications.update(testData.acme.application, {
      env_vars: services.encryption.encrypt(JSON.stringify({ key: secrets.variable, count: 3 })),
    })
    await services.voipCarriers.update(testData.acme.voip_carrier, {
      register_password: secrets.register,
      inbound_auth_password: secrets.inboundAuth,
    })
    const registration_hook = { ...hook, url: 'https://provider.example.com', password: secrets.providerHook }
    expect(
      await adminClient('PUT', `/ServiceProviders/${testData.providers.north}`, { registration_hook }),
    ).toMatchObject(noContent)
    await services.accounts.update(testData.accounts.acme, { webhook_secret: 'wh_secret_of_acme' })
  })
  afterAll(() => backend.close())

  const paths = () => {
    const { accounts, acme: acmeRecords, providers } = backend.testData
    return [
      '/Users/me',
      '/Accounts',
      `/Accounts/${accounts.acme}`,
      `/Accounts/${accounts.acme}/WebhookSecret`,
      `/Accounts/${accounts.acme}/Applications`,
      '/Applications?page=1&page_size=25',
      `/Applications/${acmeRecords.application}`,
      '/VoipCarriers',
      `/VoipCarriers/${acmeRecords.voip_carrier}`,
      '/ServiceProviders',
      `/ServiceProviders/${providers.north}`,
    ]
  }
  const readAll = async (client: ApiClient) => {
    const responses = await Promise.all(paths().map((path) => client('GET', path)))
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    return responses.map(({ body }) => JSON.stringify(body)).join('\n')
  }

  it('are hidden from view-only users in every field', async () => {
    const responseText = await readAll(viewerClient)
    for (const secret of [...Object.values(secrets), 'wh_secret_of_acme']) expect(responseText).not.toContain(secret)
    const { body } = await viewerClient('GET', `/Applications/${backend.testData.acme.application}`)
    expect(body).toMatchObject({
      call_hook: { url: 'https://hook.example.com', username: 'u', password: 'XXXXXXXX' },
      env_vars: { key: 'XXXXXXXX', count: 3 },
      messaging_hook: null,
    })
  })

  it('are shown to other users of the account, except the secrets of its provider', async () => {
    const responseText = await readAll(acmeClient)
    const { providerHook, ...accountSecrets } = secrets
    for (const secret of [...Object.values(accountSecrets), 'wh_secret_of_acme']) expect(responseText).toContain(secret)
    expect(responseText).not.toContain(providerHook)
  })

  it('of a provider are shown to its users, and stay stored when an account saves the record without them', async () => {
    const path = `/ServiceProviders/${backend.testData.providers.north}`
    for (const client of [acmeClient, createApiClient(backend.app, backend.testData.keys.acme)]) {
      const { body } = await client('GET', path)
      const { url } = body.registration_hook
      expect(body.registration_hook).toMatchObject({ url: 'https://provider.example.com', password: null })
      expect(
        (await client('PUT', path, { name: 'Northwind', registration_hook: { url, method: 'POST' } })).status,
      ).toBe(403)
    }
    const northClient = createApiClient(backend.app, backend.testData.keys.north)
    expect((await northClient('GET', path)).body.registration_hook.password).toBe(secrets.providerHook)
    expect((await northClient('GET', '/ServiceProviders')).body[0].registration_hook.password).toBe(
      secrets.providerHook,
    )
  })

  it('of speech vendors are not used by requests of view-only users', async () => {
    const { accounts, providers, acme: acmeRecords } = backend.testData
    for (const base of [`/Accounts/${accounts.acme}`, `/ServiceProviders/${providers.north}`])
      expect(
        await viewerClient('GET', `${base}/SpeechCredentials/${acmeRecords.speech_credential}/test`),
      ).toMatchObject({
        status: 403,
        body: { msg: 'User has view-only access' },
      })
  })
})
