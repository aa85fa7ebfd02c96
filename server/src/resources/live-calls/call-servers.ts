import { messages } from '@trunkline/contract/messages/live-call'
import { Problem } from '../../http/problem'
import type { LivePlatform } from '../../ports/live-platform'
import { Unavailable } from '../../ports/unavailable'

/** Milliseconds: a call is answered by ringing, not by being taken. */
const patience = 30_000

export interface Answer {
  status: number
  body: unknown
}

const bodyOf = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** Says something to a server that handles calls. */
export const tellServer = async (address: string, body: object): Promise<Answer> => {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patience),
    })
    return { status: response.status, body: await bodyOf(response) }
  } catch (error) {
    throw new Unavailable(messages.unavailable, { cause: error })
  }
}

/** New calls and messages go to one server after the other. */
export const callServers = (live: LivePlatform) => {
  let turn = 0
  return {
    /** Where the next one goes. Throws 480 where there is none. */
    async next(): Promise<string> {
      const servers = (await live.callServers()).toSorted()
      const server = servers[turn++ % (servers.length || 1)]
      if (!server) throw new Problem(480, { msg: messages.noServers })
      return `${server.replace(/\/+$/, '')}/v1/createCall`
    },
  }
}
