import type { Captures, Dialogue } from '../../ports/captures'
import { Unavailable } from '../../ports/unavailable'
import { wholeBody } from '../net/response-body'

export interface HomerOptions {
  url: string
  username: string
  password: string
}

/** What a file of packets begins with, which Homer sends also when there are none. */
const fileHeader = 24
/** The first bytes of such a file, in either order of its writer's. */
const fileMarks = ['a1b2c3d4', 'd4c3b2a1', 'a1b23c4d', '4d3cb2a1']
/** Milliseconds. */
const patience = 15_000
const week = 7 * 24 * 60 * 60 * 1000

/** What Homer is asked for: a dialogue of the last week, as one or both of its two kinds. */
const asked = (callId: string, kinds: readonly ('call' | 'registration')[], now: number) => ({
  param: {
    transaction: {
      call: kinds.includes('call'),
      registration: kinds.includes('registration'),
      rest: false,
    },
    orlogic: true,
    search: Object.fromEntries(kinds.map((kind) => [`1_${kind}`, { callid: [callId] }])),
  },
  timestamp: { from: now - week, to: now },
})

const kindOf = { invite: 'call', register: 'registration' } as const

const server = 'The capture server'

const failed = () => new Unavailable(`${server} failed. Try again later.`)
const unreadable = () => new Unavailable(`${server} gives no answer that can be read. Check HOMER_BASE_URL.`)

const objectIn = async (response: Response): Promise<{ total?: unknown; token?: unknown }> => {
  const bytes = await wholeBody(response, server)
  try {
    const said: unknown = JSON.parse(bytes.toString())
    if (typeof said === 'object' && said !== null && !Array.isArray(said)) return said
  } catch {
    // told below
  }
  throw unreadable()
}

/** Captures in a Homer 7. Its token is asked for anew when it is no longer good. */
export const homerCaptures = ({ url, username, password }: HomerOptions): Captures => {
  let token: string | undefined

  const post = async (path: string, body: unknown): Promise<Response> => {
    try {
      return await fetch(`${url}/api/v3${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(patience),
      })
    } catch {
      throw new Unavailable(`${server} does not answer. Try again later.`)
    }
  }

  const signIn = async () => {
    token = undefined
    const response = await post('/auth', { username, password })
    if (response.status >= 500) throw failed()
    if (!response.ok) throw new Unavailable(`${server} does not let us in. Its username or password is wrong.`)
    const answer = await objectIn(response)
    if (typeof answer.token !== 'string') throw unreadable()
    token = answer.token
  }

  const ask = async (path: string, body: unknown): Promise<Response | undefined> => {
    if (!token) await signIn()
    let response = await post(path, body)
    if (response.status === 401) {
      await signIn()
      response = await post(path, body)
    }
    if (response.status >= 500) throw failed()
    return response.ok ? response : undefined
  }

  return {
    async trace(callId) {
      const response = await ask('/call/transaction', asked(callId, ['call', 'registration'], Date.now()))
      const found = response && (await objectIn(response))
      return found ? { ...found, total: Number(found.total) || 0 } : undefined
    },

    async pcap(callId: string, dialogue: Dialogue) {
      const response = await ask('/export/call/messages/pcap', asked(callId, [kindOf[dialogue]], Date.now()))
      const file = response && (await wholeBody(response, server))
      if (!file || file.length === 0) return undefined
      if (!fileMarks.includes(file.toString('hex', 0, 4))) throw unreadable()
      return file.length > fileHeader ? file : undefined
    },
  }
}
