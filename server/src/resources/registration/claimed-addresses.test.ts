import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApiClient } from '../../../test/api-client'
import { databaseEngines } from '../../../test/databases'
import { startIdentityClient, type IdentityClient } from '../../../test/identity-client'

describe.each(databaseEngines)('an address of someone else (%s)', (databaseEngine) => {
  let client: IdentityClient
  beforeEach(async () => {
    client = await startIdentityClient({ databaseEngine, config: { rateLimit: { max: 100_000, minutes: 1 } } })
  })
  afterEach(() => client.close())

  const readEmail = async (user_sid: string) =>
    (await createApiClient(client.app, client.testData.keys.admin)('GET', `/Users/${user_sid}`)).body.email

  /** A user who has entered an address without confirming it. */
  const claimAddress = async (email: string) => {
    const { client: user, registration } = await client.registerUser('claimant@example.com')
    expect(await user('PUT', `/Users/${registration.user_sid}`, { email })).toMatchObject({ status: 204 })
    expect(await readEmail(registration.user_sid)).toBe(email)
    return registration.user_sid as string
  }

  it('that a user has not confirmed does not keep its owner from registering', async () => {
    const email = 'owner@example.com'
    const claimantSid = await claimAddress(email)
    const { body: registration } = await client.register(email)
    const code = await client.readCode(email, 2)
    const owner = createApiClient(client.app, registration.jwt)
    const { user_sid } = registration
    expect(await owner('PUT', `/ActivationCode/${code}`, { user_sid, type: 'email' })).toMatchObject({ status: 204 })
    expect(await owner('GET', '/Users/me')).toMatchObject({ status: 200, body: { user: { email } } })
    expect(await readEmail(claimantSid)).toBe('claimant@example.com')
  })

  it('that a user has not confirmed does not keep its owner from signing in with an identity', async () => {
    const identity = client.addIdentity()
    const claimantSid = await claimAddress(identity.email)
    expect(await client.signIn('google', identity)).toMatchObject({ status: 200, body: { email: identity.email } })
    expect(await readEmail(claimantSid)).toBe('claimant@example.com')
  })

  it('can be searched for only up to a limit, by adding or changing users', async () => {
    const { client: user, registration } = await client.registerUser('curious@example.com')
    const path = `/Users/${registration.user_sid}`
    const statuses = []
    for (let count = 0; count < 62; count += 1) {
      const name = count % 2 ? 'acme' : `nobody-${count}`
      statuses.push((await user('PUT', path, { name })).status)
    }
    expect(statuses.slice(0, 2)).toEqual([204, 422])
    expect(statuses.slice(60)).toEqual([429, 429])
    const draft = { name: 'x', email: 'acme@example.com', initial_password: 'Another-horse-2' }
    expect(await user('POST', '/Users', draft)).toMatchObject({ status: 429 })
    // Other changes are not counted.
    expect(await user('PUT', path, { force_change: false })).toMatchObject({ status: 204 })
  })
})
