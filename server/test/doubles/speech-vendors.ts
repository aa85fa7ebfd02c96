import { createHash, generateKeyPairSync } from 'node:crypto'
import { readBody, startHttpServer } from './http-server'
import type { VendorRequest, VendorDouble, CredentialParts } from './speech-double'
import { recognitionVendors } from './speech-recognition-vendors'
import { googleKeyFile, signingVendors } from './speech-signing-vendors'
import { synthesisVendors } from './speech-synthesis-vendors'

export const vendors: Record<string, VendorDouble> = { ...signingVendors, ...synthesisVendors, ...recognitionVendors }

const generateKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

/** The credential with a wrong secret. */
export const withWrongSecrets = (parts: CredentialParts): CredentialParts =>
  Object.fromEntries(
    Object.entries(parts).map(([name, value]) => {
      if (name === 'service_key') return [name, googleKeyFile(generateKey())]
      return [
        name,
        /key$|secret|token/.test(name) && name !== 'access_key_id' ? `wrong${digest(String(value))}` : value,
      ]
    }),
  )

const digest = (value: string) => createHash('sha256').update(value).digest('hex').slice(0, 16)

/**
 * How all vendors respond. `htmlPage`: with status 200 and a page instead of JSON. `malformedRows`: lists contain malformed
 * rows beside the valid ones.
 */
export type VendorBehavior =
  'normal' | 'noResponse' | 'serverError' | 'htmlPage' | 'emptyObject' | 'malformedRows' | 'expiredCredential'

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Malformed rows, made from a valid one: each of its fields is missing, null or of the wrong kind. */
const createMalformedRows = (row: unknown): unknown[] => [
  null,
  7,
  [],
  {},
  ...(isObject(row)
    ? Object.keys(row).flatMap((name) =>
        [undefined, null, 7, {}, [], [null], '', 'x'.repeat(300)].map((part) => ({ ...row, [name]: part })),
      )
    : []),
]

const addMalformedRows = (value: unknown): unknown => {
  if (Array.isArray(value)) return [...createMalformedRows(value[0]), ...value.map(addMalformedRows)]
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, part]): [string, unknown] => [name, addMalformedRows(part)]))
    : value
}

/** Changes a valid response as the behavior requires. */
const applyBehavior = (behavior: VendorBehavior, response: object): unknown => {
  if (behavior === 'malformedRows') return addMalformedRows(response)
  return behavior === 'emptyObject' ? {} : response
}

const parseJson = (body: Buffer) => {
  try {
    return JSON.parse(body.toString()) as Record<string, unknown>
  } catch {
    return {}
  }
}

const allVendors = Object.values(vendors)

const hostAliases = Object.assign({}, ...allVendors.map((vendor) => vendor.hostAliases)) as Record<string, string>

/** The key of a request in `routes`; aliases of a host are replaced. */
const routeOf = ({ method, address }: VendorRequest) => {
  const [host = '', ...path] = address.split('/')
  return `${method} ${[hostAliases[host] ?? host, ...path].join('/')}`
}

/** Responds as the vendor with this request. */
const respondAsVendor = async (
  request: VendorRequest,
  isExpired: boolean,
): Promise<{ status?: number; body: object | string | Buffer }> => {
  const route = routeOf(request)
  const publicRoute = allVendors.map((vendorDouble) => vendorDouble.publicRoutes?.[route]).find(Boolean)
  const vendor = allVendors.find((vendorDouble) => vendorDouble.routes[route])
  if (!publicRoute && !vendor) return { status: 404, body: { message: `no such route: ${route}` } }
  if (vendor && !publicRoute && isExpired) return (vendor.expiredRefusal ?? vendor).refuse(request)
  if (vendor && !publicRoute && !(await vendor.isAuthorized(request))) return vendor.refuse(request)
  const response = (publicRoute ?? vendor!.routes[route])!(request)
  return response ? { status: 200, body: response } : { status: 400, body: { message: 'The request is malformed.' } }
}

/** Starts all speech vendors at one URL. The first part of the path is the vendor's host. */
export const startSpeechVendors = async () => {
  const state = { behavior: 'normal' as VendorBehavior, requests: [] as string[] }
  const { address, stop } = await startHttpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const respond = async () => {
      const body = await readBody(request)
      const receivedRequest = {
        method: request.method ?? '',
        address: decodeURIComponent(pathname.slice(1)),
        query: searchParams,
        headers: request.headers,
        body,
        json: parseJson(body),
      }
      state.requests.push(`${receivedRequest.method} ${receivedRequest.address}`)
      if (state.behavior === 'noResponse') return
      if (state.behavior === 'serverError') return response.writeHead(503).end('upstream connect error')
      if (state.behavior === 'htmlPage') return response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
      const { status = 401, body: responseBody } = await respondAsVendor(
        receivedRequest,
        state.behavior === 'expiredCredential',
      )
      if (Buffer.isBuffer(responseBody))
        return response.writeHead(status, { 'content-type': 'audio/mpeg' }).end(responseBody)
      const type = typeof responseBody === 'string' ? 'text/plain; charset=utf-8' : 'application/json'
      const text =
        typeof responseBody === 'string' ? responseBody : JSON.stringify(applyBehavior(state.behavior, responseBody))
      response.writeHead(status, { 'content-type': type }).end(text)
    }
    void respond()
  })
  return {
    state,
    address,
    /** Redirects vendors' URLs to this server. URLs on loopback remain. */
    redirectUrl: (url: URL) =>
      url.hostname === '127.0.0.1' ? url : new URL(`${address}/${url.host}${url.pathname}${url.search}`),
    stop,
  }
}
