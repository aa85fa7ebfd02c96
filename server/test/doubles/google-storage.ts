import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { CRC32C } from '@google-cloud/storage'
import { jwtVerify } from 'jose'
import { readBody, startHttpServer, sendJson } from './http-server'

const client_email = 'recorder@example.iam.gserviceaccount.com'

const generateKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

const createKeyFile = (key: KeyObject) =>
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

const computeChecksum = (content: Buffer) => {
  const crc = new CRC32C()
  crc.update(content)
  return crc.toString()
}

interface StoredObject {
  content: Buffer
  metadata: Record<string, string>
}

/** Parses the JSON part and the content of a multipart upload. */
const parseUpload = (body: Buffer, type: string) => {
  const boundary = `--${/boundary="?([^";]+)/.exec(type)?.[1]}`
  const [, metadataPart = '', contentPart = ''] = body.toString('latin1').split(boundary)
  const bodyOfPart = (part: string) => part.slice(part.indexOf('\r\n\r\n') + 4, -2)
  const metadata = JSON.parse(bodyOfPart(metadataPart) || '{}') as { name?: string; metadata?: Record<string, string> }
  return { ...metadata, content: Buffer.from(bodyOfPart(contentPart), 'latin1') }
}

/** Sends the requested range, or the whole content. */
const sendRange = (request: IncomingMessage, response: ServerResponse, content: Buffer) => {
  const [, firstByte, lastByte] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  if (firstByte === undefined || lastByte === undefined) {
    response.setHeader('x-goog-hash', `crc32c=${computeChecksum(content)}`)
    return response.end(content)
  }
  response.statusCode = 206
  return response.end(content.subarray(Number(firstByte), Number(lastByte) + 1))
}

/**
 * The part of Google Cloud Storage's JSON API that recordings need: one bucket, `recordings`, which requires signed
 * tokens.
 */
export const startGoogleStorage = async () => {
  const key = generateKey()
  const objects = new Map<string, StoredObject>()
  const sendNotFound = (response: ServerResponse) =>
    sendJson(response, 404, { error: { code: 404, message: 'Not Found' } })
  const { address, stop } = await startHttpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const [, bucket, object] = /\/b\/([^/]+)\/o(?:\/(.+))?$/.exec(pathname) ?? []
    const respond = async () => {
      const body = await readBody(request)
      if (!(await isSigned(request, key)))
        return sendJson(response, 401, { error: { code: 401, message: 'Invalid Credentials' } })
      if (bucket !== 'recordings') return sendNotFound(response)
      if (request.method === 'POST') {
        const upload = parseUpload(body, request.headers['content-type'] ?? '')
        const { name = searchParams.get('name') ?? '', content, metadata = {} } = upload
        objects.set(name, { content, metadata })
        return sendJson(response, 200, { name, bucket, crc32c: computeChecksum(content) })
      }
      const name = decodeURIComponent(object ?? '')
      const storedObject = objects.get(name)
      if (!storedObject) return sendNotFound(response)
      const { content, metadata } = storedObject
      if (request.method === 'DELETE') {
        objects.delete(name)
        return response.writeHead(204).end()
      }
      if (searchParams.get('alt') === 'media') return sendRange(request, response, content)
      return sendJson(response, 200, { name, bucket, size: String(content.length), metadata })
    }
    void respond()
  })
  return { address, serviceKey: createKeyFile(key), wrongServiceKey: createKeyFile(generateKey()), objects, stop }
}
