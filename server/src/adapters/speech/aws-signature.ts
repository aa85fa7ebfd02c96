import { createHash, createHmac } from 'node:crypto'

/** AWS keys, with a token if they are temporary. */
export interface AwsKeys {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

/** The request to sign. Headers must be complete except for the host. */
export interface AwsRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: string
  service: string
  region: string
  signedAt: Date
}

const hash = (content: string) => createHash('sha256').update(content).digest('hex')
const hmac = (key: string | Buffer, content: string) => createHmac('sha256', key).update(content).digest()

/** AWS also encodes four characters that `encodeURIComponent` does not. */
const encode = (value: string) =>
  encodeURIComponent(value).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

const canonicalQuery = (search: URLSearchParams) =>
  [...search]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')

/** The headers of a request with its AWS signature, version 4. */
export const signRequest = (
  { method, url, headers, body, service, region, signedAt }: AwsRequest,
  { accessKeyId, secretAccessKey, sessionToken }: AwsKeys,
): Record<string, string> => {
  const { host, pathname, searchParams } = new URL(url)
  const time = signedAt.toISOString().replace(/[-:]|\.\d+/g, '')
  const date = time.slice(0, 8)
  const signedHeaders: Record<string, string> = {
    ...headers,
    'x-amz-date': time,
    ...(sessionToken ? { 'x-amz-security-token': sessionToken } : {}),
  }
  const sortedHeaders = Object.entries({ ...signedHeaders, host }).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const headerNames = sortedHeaders.map(([name]) => name).join(';')
  const headerLines = sortedHeaders.map(([name, value]) => `${name}:${value.trim()}\n`).join('')
  const request = [method, pathname, canonicalQuery(searchParams), headerLines, headerNames, hash(body)].join('\n')
  const scope = `${date}/${region}/${service}/aws4_request`
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope, hash(request)].join('\n')).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${headerNames}, Signature=${signature}`
  return { ...signedHeaders, authorization }
}
