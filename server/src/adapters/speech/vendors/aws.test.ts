import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { assumableRole, startTokenService } from '../../../../test/doubles/aws-identity'
import { startSpeechVendors, vendors } from '../../../../test/doubles/speech-vendors'
import { createSpeech } from '../speech-by-vendor'

const roleRefusedResult = { status: 'fail', reason: 'This server is not allowed to assume the role.' }

describe("AWS with the server's identity", () => {
  const { access_key_id, secret_access_key, aws_region } = vendors.aws!.credential as Record<string, string>
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

  const testSynthesis = (fields: Record<string, string>, ownerSid = 'acme') => {
    const rewriteUrl = (url: URL) => (url.hostname.startsWith('sts.') ? new URL(sts.address) : doubles.redirectUrl(url))
    const speech = createSpeech({ allowPrivateTargets: true, rewriteUrl })
    return speech.testSynthesis({ ownerSid, vendor: 'aws', fields: { aws_region, ...fields } })
  }

  it('assumes a role with the owner as external ID', async () => {
    expect(await testSynthesis({ role_arn: assumableRole })).toEqual({ status: 'ok' })
    expect(await testSynthesis({ role_arn: assumableRole }, 'bolt')).toEqual(roleRefusedResult)
    expect(await testSynthesis({ role_arn: `${assumableRole}-2` })).toEqual(roleRefusedResult)
  })

  it('is used if the credential has no key and no role; fields with only spaces are not missing', async () => {
    expect(await testSynthesis({})).toEqual({ status: 'ok' })
    expect(await testSynthesis({ access_key_id: ' ', secret_access_key: ' ' })).toMatchObject({ status: 'fail' })
    expect(await testSynthesis({ role_arn: ' ' })).toEqual(roleRefusedResult)
  })
})
