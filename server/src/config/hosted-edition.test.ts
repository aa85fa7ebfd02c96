import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config'

const required = {
  ENABLE_HOSTED_SYSTEM: 'true',
  TERMS_URL: 'https://example.com/terms',
  PRIVACY_URL: 'https://example.com/privacy',
  SMTP_URL: 'smtp://127.0.0.1:25',
  MAIL_FROM: 'support@example.com',
}
const read = (variables: Record<string, string>) => readConfig({ DATA_DIR: tmpdir(), ...variables })

describe('the settings of the hosted edition', () => {
  it('have an effect only if the edition is enabled', () => {
    const { features, hostedEdition } = read({ ...required, ENABLE_HOSTED_SYSTEM: 'false', GITHUB_CLIENT_ID: 'id' })
    expect(features.hosted).toBe(false)
    expect(hostedEdition).toBeUndefined()
  })

  it.each(['JAMBONES_HOSTING', 'VITE_APP_ENABLE_HOSTED_SYSTEM'])('can be enabled as in %s', (name) => {
    const { ENABLE_HOSTED_SYSTEM: _, ...otherVariables } = required
    const { features, hostedEdition } = read({ ...otherVariables, [name]: 'true' })
    expect(features).toMatchObject({ hosted: true, trial: { days: 21, callSessions: 5, devices: 25 }, oauthPkce: true })
    expect(hostedEdition).toEqual({ requiresInviteCode: false, trial: { days: 21, callSessions: 5 } })
  })

  it.each(['TERMS_URL', 'PRIVACY_URL', 'SMTP_URL'])('require %s', (name) => {
    expect(() => read({ ...required, [name]: '', ...(name === 'SMTP_URL' ? { MAIL_FROM: '' } : {}) })).toThrow(
      new ConfigError(
        name === 'SMTP_URL'
          ? 'SMTP_URL is required together with ENABLE_HOSTED_SYSTEM: registration sends activation codes by email.'
          : `${name} is required together with ENABLE_HOSTED_SYSTEM.`,
      ),
    )
  })

  it('belong to the other server if the console uses another API', () => {
    const { hostedEdition, features } = read({ ...required, SMTP_URL: '', API_BASE_URL: 'https://api.example.com/v1' })
    expect(hostedEdition).toBeUndefined()
    expect(features).toMatchObject({ hosted: true, oauthPkce: false })
  })

  it('require both parts of a credential', () => {
    expect(() => read({ ...required, GITHUB_CLIENT_ID: 'id' })).toThrow(/set GITHUB_CLIENT_SECRET/)
    expect(() => read({ ...required, GOOGLE_CLIENT_SECRET: 'secret' })).toThrow(/set GOOGLE_CLIENT_ID/)
    expect(() => read({ ...required, STRIPE_API_KEY: 'sk_test' })).toThrow(
      /set STRIPE_WEBHOOK_SECRET and STRIPE_PUBLISHABLE_KEY/,
    )
    expect(() => read({ ...required, DME_API_KEY: 'key' })).toThrow(/set DNS_MADE_EASY_API_SECRET/)
  })

  it('accept the URL of Stripe with and without the version of its API', () => {
    const stripe = { STRIPE_API_KEY: 'sk_test', STRIPE_WEBHOOK_SECRET: 'whsec_1', STRIPE_PUBLISHABLE_KEY: 'pk_test' }
    for (const url of ['https://api.stripe.com', 'https://api.stripe.com/v1', 'https://api.stripe.com/v1/'])
      expect(read({ ...required, ...stripe, STRIPE_BASE_URL: url }).hostedEdition?.stripe).toEqual({
        apiKey: 'sk_test',
        webhookSecret: 'whsec_1',
        apiUrl: 'https://api.stripe.com',
      })
  })
})
