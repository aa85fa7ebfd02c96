import { messages } from '@trunkline/contract/messages/live-call'
import { Problem } from '../../http/problem'
import type { LivePlatform } from '../../ports/live-platform'
import { Unavailable } from '../../ports/unavailable'

/** Milliseconds: a call is answered by ringing, not by being taken. */
const timeoutMs = 30_000

export interface ServerResponse {
  status: number
  body: unknown
}

const parseBody = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** Says something to a server that handles calls. */
export const postToServer = async (url: string, body: object): Promise<ServerResponse> => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, body: await parseBody(response) }
  } catch (error) {
    throw new Unavailable(messages.unavailable, { cause: error })
  }
}

/** New calls and messages go to one server after the other. */
export const callServers = (live: LivePlatform) => {
  let nextIndex = 0
  return {
    /** Where the next one goes. Throws 480 where there is none. */
    async nextUrl(): Promise<string> {
      const servers = (await live.callServers()).toSorted()
      const server = servers[nextIndex++ % (servers.length || 1)]
      if (!server) throw new Problem(480, { msg: messages.noServers })
      return `${server.replace(/\/+$/, '')}/v1/createCall`
    },
  }
}
