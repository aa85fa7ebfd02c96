import type { Captures, DialogType } from '../../ports/captures'
import { UnavailableError } from '../../ports/service-errors'
import { readResponseBody } from '../net/response-body'

export interface HomerOptions {
  url: string
  username: string
  password: string
}

/** The size of a pcap file header. Homer sends a header even without packets. */
const fileHeaderBytes = 24
/** Magic numbers of pcap files, in both byte orders. */
const fileMagics = ['a1b2c3d4', 'd4c3b2a1', 'a1b23c4d', '4d3cb2a1']
const timeoutMs = 15_000
const msPerWeek = 7 * 24 * 60 * 60 * 1000

/** Builds a search for the SIP dialogs of the last week with this Call-ID: calls, registrations or both. */
const buildSearchQuery = (callId: string, kinds: readonly ('call' | 'registration')[], now: number) => ({
  param: {
    transaction: {
      call: kinds.includes('call'),
      registration: kinds.includes('registration'),
      rest: false,
    },
    orlogic: true,
    search: Object.fromEntries(kinds.map((kind) => [`1_${kind}`, { callid: [callId] }])),
  },
  timestamp: { from: now - msPerWeek, to: now },
})

/** Homer's kind of each dialog type. */
const homerKinds = { invite: 'call', register: 'registration' } as const

const serverName = 'The capture server'

const createServerError = () => new UnavailableError(`${serverName} failed. Try again later.`)
const createUnreadableResponseError = () =>
  new UnavailableError(`${serverName} returned an unreadable response. Check HOMER_BASE_URL.`)

const readJsonObject = async (response: Response): Promise<{ total?: unknown; token?: unknown }> => {
  const bytes = await readResponseBody(response, serverName)
  try {
    const json: unknown = JSON.parse(bytes.toString())
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json
  } catch {
    // Reported below.
  }
  throw createUnreadableResponseError()
}

/** Creates a client of a Homer 7. Signs in again when the token has expired. */
export const createHomerCaptures = ({ url, username, password }: HomerOptions): Captures => {
  let token: string | undefined

  const post = async (path: string, body: unknown): Promise<Response> => {
    try {
      return await fetch(`${url}/api/v3${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch {
      throw new UnavailableError(`${serverName} does not respond. Try again later.`)
    }
  }

  const signIn = async () => {
    token = undefined
    const response = await post('/auth', { username, password })
    if (response.status >= 500) throw createServerError()
    if (!response.ok)
      throw new UnavailableError(`${serverName} rejects the credentials. Check HOMER_USERNAME and HOMER_PASSWORD.`)
    const body = await readJsonObject(response)
    if (typeof body.token !== 'string') throw createUnreadableResponseError()
    token = body.token
  }

  /** Sends a request with the token. Returns undefined for a 4xx response, for example if nothing was found. */
  const postSignedIn = async (path: string, body: unknown): Promise<Response | undefined> => {
    if (!token) await signIn()
    let response = await post(path, body)
    if (response.status === 401) {
      await signIn()
      response = await post(path, body)
    }
    if (response.status >= 500) throw createServerError()
    return response.ok ? response : undefined
  }

  return {
    async findMessages(callId) {
      const response = await postSignedIn(
        '/call/transaction',
        buildSearchQuery(callId, ['call', 'registration'], Date.now()),
      )
      const transaction = response && (await readJsonObject(response))
      return transaction ? { ...transaction, total: Number(transaction.total) || 0 } : undefined
    },

    async findPcap(callId: string, dialogType: DialogType) {
      const response = await postSignedIn(
        '/export/call/messages/pcap',
        buildSearchQuery(callId, [homerKinds[dialogType]], Date.now()),
      )
      const file = response && (await readResponseBody(response, serverName))
      if (!file || file.length === 0) return undefined
      if (!fileMagics.includes(file.toString('hex', 0, 4))) throw createUnreadableResponseError()
      return file.length > fileHeaderBytes ? file : undefined
    },
  }
}
