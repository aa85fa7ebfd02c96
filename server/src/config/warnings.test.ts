import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config'

const warningsOf = (environment: Record<string, string>) => readConfig({ DATA_DIR: tmpdir(), ...environment }).warnings
const secret = 'a secret of many characters'

describe('the warnings at the start', () => {
  it('name short secrets, and let the server start', () => {
    const environment = { JWT_SECRET: 'foobarbazzle', ENCRYPTION_SECRET: secret, HEP_KEY: 'short', HEP_PORT: '0' }
    expect(warningsOf(environment)).toEqual([
      'JWT_SECRET has fewer than 16 characters and can be guessed. Choose a longer one.',
      'HEP_KEY has fewer than 16 characters and can be guessed. Choose a longer one.',
    ])
  })

  it('name the URL of links in emails if it is a default, which only this machine can open', () => {
    const environment = { JWT_SECRET: secret, SMTP_URL: 'smtp://localhost', MAIL_FROM: 'no-reply@example.com' }
    expect(warningsOf({ ...environment, HOST: '0.0.0.0', PORT: '8080' })).toEqual([
      'PUBLIC_URL is not set, so links in emails lead to http://localhost:8080.',
    ])
    expect(warningsOf({ ...environment, PUBLIC_URL: 'https://voice.example.com' })).toEqual([])
  })

  it('name the settings of the hosted edition if it is disabled', () => {
    const environment = { JWT_SECRET: secret, TERMS_URL: 'https://example.com', STRIPE_API_KEY: 'key' }
    expect(warningsOf(environment)).toEqual([
      'Without ENABLE_HOSTED_SYSTEM, these settings have no effect: TERMS_URL, STRIPE_API_KEY.',
    ])
  })

  it('are absent for long and for generated secrets', () => {
    expect(warningsOf({ JWT_SECRET: secret, INITIAL_ADMIN_PASSWORD: 'Correct-horse-1' })).toEqual([])
    expect(readConfig({ API_BASE_URL: 'https://api.example.com/v1' }).warnings).toEqual([])
  })

  it.each(['a', 'admin', 'Password1!', '1234567890', 'aaaaaaaaaa'])('name the weak initial password %s', (password) => {
    expect(warningsOf({ JWT_SECRET: secret, INITIAL_ADMIN_PASSWORD: password })).toEqual([
      'INITIAL_ADMIN_PASSWORD is easy to guess. Sign in and change it before somebody else does.',
    ])
  })
})
