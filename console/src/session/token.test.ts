import { describe, expect, it } from 'vitest'
import { decodeToken } from './token'

const createToken = (claims: unknown) => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}.signature`
}

describe('a sign-in token', () => {
  it('decodes an administrator', () => {
    expect(decodeToken(createToken({ scope: 'admin', user_sid: 'u', name: 'Åsa?>~', is_view_only: false }))).toEqual({
      actor: { scope: 'admin', user_sid: 'u' },
      name: 'Åsa?>~',
    })
  })

  it('decodes a provider user', () => {
    const claims = {
      scope: 'service_provider',
      user_sid: 'u',
      service_provider_sid: 'sp',
      name: 'n',
      is_view_only: true,
    }
    expect(decodeToken(createToken(claims))?.actor).toEqual({
      scope: 'service_provider',
      user_sid: 'u',
      service_provider_sid: 'sp',
      viewOnly: true,
    })
  })

  it('decodes an account user', () => {
    const claims = { scope: 'account', user_sid: 'u', service_provider_sid: 'sp', account_sid: 'a', name: 'n' }
    expect(decodeToken(createToken(claims))?.actor).toEqual({
      scope: 'account',
      user_sid: 'u',
      service_provider_sid: 'sp',
      account_sid: 'a',
    })
  })

  it.each([
    ['no token', null],
    ['an empty token', ''],
    ['an API key', '38700987-c7a4-4685-a5bb-af378f9734de'],
    ['broken base64', 'a.%%%.c'],
    ['a payload that is not JSON', `a.${Buffer.from('x').toString('base64url')}.c`],
    ['a payload that is not an object', createToken('x')],
    ['no scope', createToken({ user_sid: 'u' })],
    ['an unknown scope', createToken({ scope: 'root' })],
    ['a provider without its SID', createToken({ scope: 'service_provider', user_sid: 'u' })],
    ['an account without its provider', createToken({ scope: 'account', account_sid: 'a' })],
  ])('%s is not a session', (_, token) => {
    expect(decodeToken(token)).toBeUndefined()
  })
})
