import { createHash, createHmac } from 'node:crypto'

/** Who signs: a pair of keys, with a token where they were lent. */
export interface AwsKeys {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

/** What is signed. The headers must be those that are sent; the host is added. */
export interface AwsRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: string
  service: string
  region: string
  at: Date
}

const hash = (content: string) => createHash('sha256').update(content).digest('hex')
const keyed = (key: string | Buffer, content: string) => createHmac('sha256', key).update(content).digest()

/** `encodeURIComponent` leaves four characters alone that AWS wants encoded. */
const encoded = (value: string) =>
  encodeURIComponent(value).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

const queryOf = (search: URLSearchParams) =>
  [...search]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&')

/** The headers of a request to AWS, with its signature of version 4. */
export const signed = (
  { method, url, headers, body, service, region, at }: AwsRequest,
  { accessKeyId, secretAccessKey, sessionToken }: AwsKeys,
): Record<string, string> => {
  const { host, pathname, searchParams } = new URL(url)
  const time = at.toISOString().replace(/[-:]|\.\d+/g, '')
  const date = time.slice(0, 8)
  const sent: Record<string, string> = {
    ...headers,
    'x-amz-date': time,
    ...(sessionToken ? { 'x-amz-security-token': sessionToken } : {}),
  }
  const names = Object.entries({ ...sent, host }).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const list = names.map(([name]) => name).join(';')
  const lines = names.map(([name, value]) => `${name}:${value.trim()}\n`).join('')
  const request = [method, pathname, queryOf(searchParams), lines, list, hash(body)].join('\n')
  const scope = `${date}/${region}/${service}/aws4_request`
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(keyed, `AWS4${secretAccessKey}`)
  const signature = keyed(key, ['AWS4-HMAC-SHA256', time, scope, hash(request)].join('\n')).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${list}, Signature=${signature}`
  return { ...sent, authorization }
}
