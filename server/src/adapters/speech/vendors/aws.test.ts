import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { knownRole, startTokenService } from '../../../../test/doubles/aws-identity'
import { startSpeechVendors, vendors } from '../../../../test/doubles/speech-vendors'
import { speechByVendor } from '../speech-by-vendor'

const noRole = { status: 'fail', reason: 'This server is not allowed to assume the role.' }

describe("AWS with the server's identity", () => {
  const { access_key_id, secret_access_key, aws_region } = vendors.aws!.key as Record<string, string>
  const key = { access_key_id: access_key_id!, secret_access_key: secret_access_key! }
  let doubles: Awaited<ReturnType<typeof startSpeechVendors>>
  let sts: Awaited<ReturnType<typeof startTokenService>>
  beforeAll(async () => {
    doubles = await startSpeechVendors()
    sts = await startTokenService('acme', key)
  })
  beforeEach(() => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', key.access_key_id)
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', key.secret_access_key)
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await Promise.all([doubles.stop(), sts.stop()])
  })

  const attempt = (parts: Record<string, string>, owner = 'acme') => {
    const timestamp = (url: URL) => (url.hostname.startsWith('sts.') ? new URL(sts.address) : doubles.at(url))
    const speech = speechByVendor({ privateTargets: true, resolveUrl: timestamp })
    return speech.testSynthesis({ owner, vendor: 'aws', fields: { aws_region, ...parts } })
  }

  it('assumes a role with the owner as external ID', async () => {
    expect(await attempt({ role_arn: knownRole })).toEqual({ status: 'ok' })
    expect(await attempt({ role_arn: knownRole }, 'bolt')).toEqual(noRole)
    expect(await attempt({ role_arn: `${knownRole}-2` })).toEqual(noRole)
  })

  it('is used without a key or role, and blank fields count as missing', async () => {
    expect(await attempt({})).toEqual({ status: 'ok' })
    expect(await attempt({ access_key_id: ' ', secret_access_key: ' ' })).toMatchObject({ status: 'fail' })
    expect(await attempt({ role_arn: ' ' })).toEqual(noRole)
  })
})
