import { s3Key } from '../external/s3-double'
import { readBody, startHttpServer, sendJson } from './http-server'

export const assumableRole = 'arn:aws:iam::123456789012:role/recorder'

const expiration = () => new Date(Date.now() + 3_600_000).toISOString()

const assumeRoleResponse = ({
  access_key_id,
  secret_access_key,
}: typeof s3Key) => `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>
  <Credentials><AccessKeyId>${access_key_id}</AccessKeyId>
  <SecretAccessKey>${secret_access_key}</SecretAccessKey>
  <SessionToken>session</SessionToken><Expiration>${expiration()}</Expiration></Credentials>
</AssumeRoleResult></AssumeRoleResponse>`

const accessDenied = `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type>
  <Code>AccessDenied</Code><Message>not authorized to perform: sts:AssumeRole</Message></Error></ErrorResponse>`

/** A double of AWS STS: AssumeRole for one role and one external ID. Returns a temporary key. */
export const startTokenService = async (externalId: string, key = s3Key) => {
  const { address, stop } = await startHttpServer((request, response) => {
    void readBody(request).then((body) => {
      const parameters = new URLSearchParams(body.toString())
      const isAssumable = parameters.get('RoleArn') === assumableRole && parameters.get('ExternalId') === externalId
      response
        .writeHead(isAssumable ? 200 : 403, { 'content-type': 'text/xml' })
        .end(isAssumable ? assumeRoleResponse(key) : accessDenied)
    })
  })
  return { address, stop }
}

/** A double of the EC2 instance metadata service, for the credentials of the machine's role. */
export const startInstanceMetadataService = () =>
  startHttpServer(({ method, url = '' }, response) => {
    if (method === 'PUT') return void response.end('token')
    if (url.endsWith('/security-credentials/')) return void response.end('machine')
    sendJson(response, 200, {
      Code: 'Success',
      AccessKeyId: s3Key.access_key_id,
      SecretAccessKey: s3Key.secret_access_key,
      Token: 'session',
      Expiration: expiration(),
    })
  })
