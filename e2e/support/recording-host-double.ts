import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that the recording host received. */
export interface HostRequest {
  path: string
  authorization: string | undefined
  cookie: string | undefined
  referer: string | undefined
}

export interface RecordingHost {
  /** Such as http://127.0.0.1:41234. */
  origin: string
  requests: HostRequest[]
  close: () => void
}

/** A double of a web server that stores recordings. Pages may read `/readable.wav` (CORS), but not `/private.wav`. */
export const startRecordingHost = async (audio: Buffer): Promise<RecordingHost> => {
  const requests: HostRequest[] = []
  const host = createServer((request, response) => {
    const { authorization, cookie, referer, range } = request.headers
    requests.push({ path: request.url ?? '', authorization, cookie, referer })
    if (request.url === '/readable.wav') {
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('access-control-allow-headers', 'range')
      response.setHeader('access-control-expose-headers', 'content-range, accept-ranges, content-length')
    }
    if (request.method === 'OPTIONS') return response.writeHead(204).end()
    response.setHeader('content-type', 'audio/wav')
    response.setHeader('accept-ranges', 'bytes')
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
    if (first === undefined) return response.end(audio)
    const end = last ? Math.min(Number(last), audio.length - 1) : audio.length - 1
    response.writeHead(206, { 'content-range': `bytes ${first}-${end}/${audio.length}` })
    return response.end(audio.subarray(Number(first), end + 1))
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(host.address() as AddressInfo).port}`,
    requests,
    close: () => host.close(),
  }
}
