import { bodyOf, listening, sendJson } from './listening'

interface Asked {
  path: string
  body: unknown
}

export const login = { username: 'admin', password: 'sipcapture' }

/** A double of Homer 7: it lets in who knows its password, and holds what was captured of the dialogues it is given. */
export const startHomer = async (captured: Record<string, Buffer>) => {
  const asked: Asked[] = []
  let tokens = 0
  let good = ''
  const { address, stop } = await listening((request, response) => {
    void (async () => {
      const text = (await bodyOf(request)).toString()
      const body = JSON.parse(text) as Record<string, unknown> & {
        param?: { search: Record<string, { callid: string[] }> }
      }
      const path = request.url ?? ''
      asked.push({ path, body })
      if (path === '/api/v3/auth') {
        if (body.password !== login.password) return sendJson(response, 401, { message: 'incorrect password' })
        good = `token-${(tokens += 1)}`
        return sendJson(response, 201, { token: good })
      }
      if (request.headers.authorization !== `Bearer ${good}`) return sendJson(response, 401, { message: 'expired' })
      const [callId = ''] = Object.values(body.param?.search ?? {}).flatMap(({ callid }) => callid)
      const found = captured[callId]
      if (path.endsWith('/pcap')) return response.writeHead(found ? 200 : 404).end(found)
      return sendJson(response, 200, { total: found ? 2 : 0, data: { messages: [] } })
    })()
  })
  return {
    url: address,
    asked,
    /** Makes it forget whom it has let in. */
    forget: () => {
      good = ''
    },
    stop,
  }
}
