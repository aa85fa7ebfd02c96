import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { engines } from '../../test/engines'
import { apiClient, tokenFor, type ApiClient } from '../../test/speak'

const secrets = {
  hook: 'hook-password-1',
  register: 'register-password-1',
  inbound: 'inbound-password-1',
  variable: 'variable-secret-1',
  providerHook: 'provider-hook-password-1',
}

describe.each(engines)('secrets in responses (%s)', (engine) => {
  let backend: Backend
  let viewer: ApiClient
  let acme: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ engine })
    const { world, services } = backend
    const admin = apiClient(backend.app, world.keys.admin)
    viewer = apiClient(backend.app, await tokenFor(backend.app, 'viewer'))
    acme = apiClient(backend.app, await tokenFor(backend.app, 'acme'))
    const hook = { url: 'https://hook.example.com', method: 'POST', username: 'u', password: secrets.hook }
    const done = { status: 204 }
    expect(await admin('PUT', `/Accounts/${world.accounts.acme}`, { registration_hook: hook })).toMatchObject(done)
    expect(await admin('PUT', `/Applications/${world.acme.application}`, { call_hook: hook })).toMatchObject(done)
    await services.applications.update(world.acme.application, {
      env_vars: services.encryption.encrypt(JSON.stringify({ key: secrets.variable, count: 3 })),
    })
    await services.voipCarriers.update(world.acme.voip_carrier, {
      register_password: secrets.register,
      inbound_auth_password: secrets.inbound,
    })
    const registration_hook = { ...hook, url: 'https://provider.example.com', password: secrets.providerHook }
    expect(await admin('PUT', `/ServiceProviders/${world.providers.north}`, { registration_hook })).toMatchObject(done)
    await services.accounts.update(world.accounts.acme, { webhook_secret: 'wh_secret_of_acme' })
  })
  afterAll(() => backend.close())

  const paths = () => {
    const { accounts, acme: acmeRecords, providers } = backend.world
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
  const read = async (as: ApiClient) => {
    const responses = await Promise.all(paths().map((path) => as('GET', path)))
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    return responses.map(({ body }) => JSON.stringify(body)).join('\n')
  }

  it('are hidden from view-only users in every field', async () => {
    const received = await read(viewer)
    for (const secret of [...Object.values(secrets), 'wh_secret_of_acme']) expect(received).not.toContain(secret)
    const { body } = await viewer('GET', `/Applications/${backend.world.acme.application}`)
    expect(body).toMatchObject({
      call_hook: { url: 'https://hook.example.com', username: 'u', password: 'XXXXXXXX' },
      env_vars: { key: 'XXXXXXXX', count: 3 },
      messaging_hook: null,
    })
  })

  it('are shown to other users of the account, except the secrets of its provider', async () => {
    const received = await read(acme)
    const { providerHook, ...owner } = secrets
    for (const secret of [...Object.values(owner), 'wh_secret_of_acme']) expect(received).toContain(secret)
    expect(received).not.toContain(providerHook)
  })

  it('of a provider are shown to its users, and stay stored when an account saves the record without them', async () => {
    const path = `/ServiceProviders/${backend.world.providers.north}`
    for (const as of [acme, apiClient(backend.app, backend.world.keys.acme)]) {
      const { body } = await as('GET', path)
      const { url } = body.registration_hook
      expect(body.registration_hook).toMatchObject({ url: 'https://provider.example.com', password: null })
      expect((await as('PUT', path, { name: 'Northwind', registration_hook: { url, method: 'POST' } })).status).toBe(
        403,
      )
    }
    const north = apiClient(backend.app, backend.world.keys.north)
    expect((await north('GET', path)).body.registration_hook.password).toBe(secrets.providerHook)
    expect((await north('GET', '/ServiceProviders')).body[0].registration_hook.password).toBe(secrets.providerHook)
  })

  it('of speech vendors are not used by requests of view-only users', async () => {
    const { accounts, providers, acme: acmeRecords } = backend.world
    for (const base of [`/Accounts/${accounts.acme}`, `/ServiceProviders/${providers.north}`])
      expect(await viewer('GET', `${base}/SpeechCredentials/${acmeRecords.speech_credential}/test`)).toMatchObject({
        status: 403,
        body: { msg: 'User has view-only access' },
      })
  })
})
