import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { CRC32C } from '@google-cloud/storage'
import { jwtVerify } from 'jose'
import { bodyOf, listening, sendJson } from './listening'

const client_email = 'recorder@example.iam.gserviceaccount.com'

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

const fileOf = (key: KeyObject) =>
  JSON.stringify({
    type: 'service_account',
    project_id: 'example',
    client_email,
    private_key: key.export({ type: 'pkcs8', format: 'pem' }),
    // The adapter must ignore these URLs: a service key file could contain any.
    universe_domain: 'example.invalid',
    token_uri: 'http://169.254.169.254/token',
  })

const isSigned = async ({ headers }: IncomingMessage, key: KeyObject) => {
  const token = headers.authorization?.replace(/^Bearer /, '') ?? ''
  return jwtVerify(token, createPublicKey(key), { issuer: client_email }).then(
    () => true,
    () => false,
  )
}

const checksum = (content: Buffer) => {
  const sum = new CRC32C()
  sum.update(content)
  return sum.toString()
}

interface Stored {
  content: Buffer
  metadata: Record<string, string>
}

/** Parses the JSON part and the content of a multipart upload. */
const uploaded = (body: Buffer, type: string) => {
  const border = `--${/boundary="?([^";]+)/.exec(type)?.[1]}`
  const [, head = '', content = ''] = body.toString('latin1').split(border)
  const inside = (part: string) => part.slice(part.indexOf('\r\n\r\n') + 4, -2)
  const message = JSON.parse(inside(head) || '{}') as { name?: string; metadata?: Record<string, string> }
  return { ...message, content: Buffer.from(inside(content), 'latin1') }
}

/** Sends the requested range, or the whole content. */
const sendPart = (request: IncomingMessage, response: ServerResponse, content: Buffer) => {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  if (from === undefined || to === undefined) {
    response.setHeader('x-goog-hash', `crc32c=${checksum(content)}`)
    return response.end(content)
  }
  response.statusCode = 206
  return response.end(content.subarray(Number(from), Number(to) + 1))
}

/**
 * The part of Google Cloud Storage's JSON API that recordings need: one bucket, `recordings`, which requires signed
 * tokens.
 */
export const startGoogleStorage = async () => {
  const key = newKey()
  const objects = new Map<string, Stored>()
  const missing = (response: ServerResponse) => sendJson(response, 404, { error: { code: 404, message: 'Not Found' } })
  const { address, stop } = await listening((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const [, bucket, object] = /\/b\/([^/]+)\/o(?:\/(.+))?$/.exec(pathname) ?? []
    const respond = async () => {
      const body = await bodyOf(request)
      if (!(await isSigned(request, key)))
        return sendJson(response, 401, { error: { code: 401, message: 'Invalid Credentials' } })
      if (bucket !== 'recordings') return missing(response)
      if (request.method === 'POST') {
        const given = uploaded(body, request.headers['content-type'] ?? '')
        const { name = searchParams.get('name') ?? '', content, metadata = {} } = given
        objects.set(name, { content, metadata })
        return sendJson(response, 200, { name, bucket, crc32c: checksum(content) })
      }
      const name = decodeURIComponent(object ?? '')
      const stored = objects.get(name)
      if (!stored) return missing(response)
      const { content, metadata } = stored
      if (request.method === 'DELETE') {
        objects.delete(name)
        return response.writeHead(204).end()
      }
      if (searchParams.get('alt') === 'media') return sendPart(request, response, content)
      return sendJson(response, 200, { name, bucket, size: String(content.length), metadata })
    }
    void respond()
  })
  return { address, serviceKey: fileOf(key), wrongServiceKey: fileOf(newKey()), objects, stop }
}
