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

  it('are absent for long and for generated secrets', () => {
    expect(warningsOf({ JWT_SECRET: secret, INITIAL_ADMIN_PASSWORD: 'Correct-horse-1' })).toEqual([])
    expect(readConfig({ API_BASE_URL: 'https://api.example.com/v1' }).warnings).toEqual([])
  })

  it.each(['a', 'admin', 'Password1!', '1234567890', 'aaaaaaaaaa'])('name the weak initial password %s', (password) => {
    expect(warningsOf({ JWT_SECRET: secret, INITIAL_ADMIN_PASSWORD: password })).toEqual([
      'INITIAL_ADMIN_PASSWORD is easy to guess. Sign in and change it before somebody else does.',
    ])
  })

  it('name the hosted edition if it is enabled, because it does not exist', () => {
    expect(warningsOf({ JWT_SECRET: secret, ENCRYPTION_SECRET: secret, JAMBONES_HOSTING: 'true' })).toContain(
      'ENABLE_HOSTED_SYSTEM has no effect: this version does not have the hosted edition.',
    )
  })
})
