import { isIPv4 } from 'node:net'
import type { CapturedMessage } from '../../src/ports/captures'
import { readBody, startHttpServer, sendJson } from './http-server'

interface HomerRequest {
  path: string
  body: unknown
}

interface HomerSearch {
  param?: { search: Record<string, { callid: string[] }> }
  timestamp?: { from: number; to: number }
  password?: string
}

export const homerLogin = { username: 'admin', password: 'sipcapture' }

const dialogTypeByTransaction = { '1_call': 'invite', '1_registration': 'register' } as const

/** The pcap file header for Ethernet packets. Homer sends it even if no packets follow. */
const pcapFileHeader = Buffer.from('d4c3b2a1020004000000000000000000ffff000001000000', 'hex')

/** An Ethernet frame with a UDP datagram over IPv4, the only version that Homer supports. Readers need no checksums. */
const createPcapPacket = ({ source, target, timeUs, payload }: CapturedMessage): Buffer => {
  // The headers: pcap record, Ethernet, IPv4, UDP.
  const frame = Buffer.alloc(16 + 14 + 20 + 8)
  frame.writeUInt32LE(Math.floor(timeUs / 1e6), 0)
  frame.writeUInt32LE(timeUs % 1e6, 4)
  frame.writeUInt32LE(frame.length - 16 + payload.length, 8)
  frame.writeUInt32LE(frame.length - 16 + payload.length, 12)
  frame.writeUInt16BE(0x0800, 28)
  frame.writeUInt8(0x45, 30)
  frame.writeUInt16BE(28 + payload.length, 32)
  frame.writeUInt8(17, 39)
  source.address.copy(frame, 42)
  target.address.copy(frame, 46)
  frame.writeUInt16BE(source.port, 50)
  frame.writeUInt16BE(target.port, 52)
  frame.writeUInt16BE(8 + payload.length, 54)
  return Buffer.concat([frame, payload])
}

const formatIPv4 = (address: Buffer): string => {
  const text = address.join('.')
  if (!isIPv4(text)) throw new Error('This double knows IPv4 only.')
  return text
}

/** A message of a Homer transaction, with Homer's field names. */
const toHomerMessage = ({ callId, source, target, timeUs, payload }: CapturedMessage) => ({
  sid: callId,
  method: /^SIP\/2\.0 (\d{3})|^(\w+)/.exec(payload.toString())?.slice(1).find(Boolean),
  create_date: Math.floor(timeUs / 1000),
  timeSeconds: Math.floor(timeUs / 1e6),
  timeUseconds: timeUs % 1e6,
  srcIp: formatIPv4(source.address),
  srcPort: source.port,
  dstIp: formatIPv4(target.address),
  dstPort: target.port,
  raw: payload.toString(),
})

/** A double of Homer 7. It requires a login, and finds captured messages by Call-ID and time. */
export const startHomer = async () => {
  const requests: HomerRequest[] = []
  const storedMessages: CapturedMessage[] = []
  let tokenCount = 0
  let validToken = ''
  const findMessages = ({ param, timestamp }: HomerSearch) =>
    storedMessages
      .filter(
        ({ callId, dialogType, timeUs }) =>
          Object.entries(dialogTypeByTransaction).some(
            ([transaction, transactionType]) =>
              transactionType === dialogType && param?.search[transaction]?.callid.includes(callId),
          ) &&
          timeUs / 1000 >= (timestamp?.from ?? 0) &&
          timeUs / 1000 <= (timestamp?.to ?? 0),
      )
      .toSorted((a, b) => a.timeUs - b.timeUs)
  const { address, stop } = await startHttpServer((request, response) => {
    void (async () => {
      const body = JSON.parse((await readBody(request)).toString()) as HomerSearch
      const path = request.url ?? ''
      requests.push({ path, body })
      if (path === '/api/v3/auth') {
        if (body.password !== homerLogin.password) return sendJson(response, 401, { message: 'incorrect password' })
        validToken = `token-${(tokenCount += 1)}`
        return sendJson(response, 201, { token: validToken })
      }
      if (request.headers.authorization !== `Bearer ${validToken}`)
        return sendJson(response, 401, { message: 'expired' })
      const messages = findMessages(body)
      if (path.endsWith('/pcap')) {
        const type = { 'content-type': 'application/octet-stream' }
        return response.writeHead(200, type).end(Buffer.concat([pcapFileHeader, ...messages.map(createPcapPacket)]))
      }
      return sendJson(response, 201, { total: messages.length, data: { messages: messages.map(toHomerMessage) } })
    })()
  })
  return {
    url: address,
    requests,
    /** Adds captured messages. */
    addMessages: (messages: readonly CapturedMessage[]) => storedMessages.push(...messages),
    /** Invalidates the current token. */
    expireToken: () => {
      validToken = ''
    },
    stop,
  }
}
