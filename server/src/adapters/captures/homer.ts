import type { Captures, Dialogue } from '../../ports/captures'
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

/** The query for a dialogue of the last week, as call, registration or both. */
const searchQuery = (callId: string, kinds: readonly ('call' | 'registration')[], now: number) => ({
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

const kindOfDialogue = { invite: 'call', register: 'registration' } as const

const serverName = 'The capture server'

const serverError = () => new UnavailableError(`${serverName} failed. Try again later.`)
const unreadableResponse = () =>
  new UnavailableError(`${serverName} returned an unreadable response. Check HOMER_BASE_URL.`)

const readObject = async (response: Response): Promise<{ total?: unknown; token?: unknown }> => {
  const bytes = await readResponseBody(response, serverName)
  try {
    const json: unknown = JSON.parse(bytes.toString())
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json
  } catch {
    // Reported below.
  }
  throw unreadableResponse()
}

/** Captures in a Homer 7. Signs in again when the token has expired. */
export const homerCaptures = ({ url, username, password }: HomerOptions): Captures => {
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
    if (response.status >= 500) throw serverError()
    if (!response.ok)
      throw new UnavailableError(`${serverName} rejects the credentials. Its username or password is wrong.`)
    const body = await readObject(response)
    if (typeof body.token !== 'string') throw unreadableResponse()
    token = body.token
  }

  const request = async (path: string, body: unknown): Promise<Response | undefined> => {
    if (!token) await signIn()
    let response = await post(path, body)
    if (response.status === 401) {
      await signIn()
      response = await post(path, body)
    }
    if (response.status >= 500) throw serverError()
    return response.ok ? response : undefined
  }

  return {
    async trace(callId) {
      const response = await request('/call/transaction', searchQuery(callId, ['call', 'registration'], Date.now()))
      const transaction = response && (await readObject(response))
      return transaction ? { ...transaction, total: Number(transaction.total) || 0 } : undefined
    },

    async pcap(callId: string, dialogue: Dialogue) {
      const response = await request(
        '/export/call/messages/pcap',
        searchQuery(callId, [kindOfDialogue[dialogue]], Date.now()),
      )
      const file = response && (await readResponseBody(response, serverName))
      if (!file || file.length === 0) return undefined
      if (!fileMagics.includes(file.toString('hex', 0, 4))) throw unreadableResponse()
      return file.length > fileHeaderBytes ? file : undefined
    },
  }
}
