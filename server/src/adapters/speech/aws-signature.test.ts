import { expect, it } from 'vitest'
import { signRequest } from './aws-signature'

// The example of AWS's own test suite for signatures of version 4, "get-vanilla".
it('signs a request as AWS does', async () => {
  const request = {
    method: 'GET',
    url: 'https://example.amazonaws.com/',
    headers: {},
    body: '',
    service: 'service',
    region: 'us-east-1',
    signedAt: new Date('2015-08-30T12:36:00Z'),
  }
  const awsKeys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
  expect(await signRequest(request, awsKeys)).toEqual({
    'x-amz-date': '20150830T123600Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ' +
      'SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  })
  const signedHeaders = await signRequest(request, { ...awsKeys, sessionToken: 'temporary' })
  expect(signedHeaders['x-amz-security-token']).toBe('temporary')
})
