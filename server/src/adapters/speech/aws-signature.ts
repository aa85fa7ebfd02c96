import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto'

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

type Content = string | ArrayBuffer | ArrayBufferView

const toBytes = (content: Content): Uint8Array => {
  if (typeof content === 'string') return Buffer.from(content)
  return content instanceof ArrayBuffer
    ? new Uint8Array(content)
    : new Uint8Array(content.buffer, content.byteOffset, content.byteLength)
}

/** SHA-256 in the form that AWS's library requires. */
class Sha256 {
  readonly #hash: Hash | Hmac
  constructor(secret?: Content) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toBytes(secret))
  }
  update(content: Content): void {
    this.#hash.update(toBytes(content))
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest())
  }
  // Nothing to reset: each instance is used for one digest.
  reset(): void {}
}

/** Returns the headers of a request, including its AWS signature of version 4. */
export const signRequest = async (
  { method, url, headers, body, service, region, signedAt }: AwsRequest,
  credentials: AwsKeys,
): Promise<Record<string, string>> => {
  const { SignatureV4 } = await import('@smithy/signature-v4')
  const { protocol, hostname, host, pathname: path, searchParams } = new URL(url)
  const signer = new SignatureV4({ service, region, credentials, sha256: Sha256, applyChecksum: false })
  const query = Object.fromEntries(searchParams)
  const request = { method, protocol, hostname, path, query, headers: { ...headers, host }, body }
  const { host: _, ...signedHeaders } = (await signer.sign(request, { signingDate: signedAt })).headers
  return signedHeaders
}
