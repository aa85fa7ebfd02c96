/** How a message came. */
export type Transport = 'UDP' | 'TCP' | 'WS'

/** A SIP message as it was captured. */
export interface SipMessage {
  /** Microseconds since 1970. */
  time: number
  source: SocketAddress
  target: SocketAddress
  transport: Transport
  /** The whole message, as text. */
  text: string
  /** What was captured of it ends before it does. */
  cut: boolean
  callId: string
  /** The method of a request; of an answer, what it answers. */
  method: string
  /** Of an answer. */
  status?: number
  reason?: string
}

export interface SocketAddress {
  address: string
  port: number
}

const newline = 10
const decoder = new TextDecoder()
const latin1 = new TextDecoder('latin1')
/** What is looked through for the line that a message begins with. */
const maxStartLineBytes = 4096

/** Does a word begin here? */
export const isLetter = (code: number | undefined) =>
  code !== undefined && ((code >= 65 && code <= 90) || (code >= 97 && code <= 122))

/** Does a SIP message begin here? */
export const startsWithSip = (bytes: Uint8Array): boolean => {
  if (!isLetter(bytes[0])) return false
  const end = bytes.subarray(0, maxStartLineBytes).indexOf(newline)
  const line = latin1.decode(bytes.subarray(0, end < 0 ? Math.min(bytes.length, maxStartLineBytes) : end))
  return /^(?:SIP\/2\.0 \d{3}\b|[A-Z]{3,20} \S+ SIP\/2\.0\r?$)/.test(line)
}

const callIdLine = /^(?:call-id|i)[ \t]*:([^\r\n]+)/im
const cseqLine = /^cseq[ \t]*:[ \t]*\d+[ \t]+(\w+)/im
const lengthLine = /^(?:content-length|l)[ \t]*:[ \t]*(\d{1,9})[ \t]*\r?$/im

const headerSection = (text: string): string => text.split(/\r?\n\r?\n/, 1)[0]!

/** How many bytes follow behind the headers, by their own word; none when they do not say. */
export const bodyLength = (head: Uint8Array): number => Number(lengthLine.exec(latin1.decode(head))?.[1] ?? 0)

/** What a request wants, or an answer says to which request. */
const parseStartLine = (head: string): Pick<SipMessage, 'method' | 'status' | 'reason'> => {
  const [, status, reason = ''] = /^SIP\/2\.0 (\d{3}) ?([^\r\n]*)/.exec(head) ?? []
  if (status === undefined) return { method: /^\w+/.exec(head)?.[0] ?? '' }
  const method = cseqLine.exec(head)?.[1]?.toUpperCase() ?? ''
  return { method, status: Number(status), reason: reason.trim() }
}

/** What a message says of itself; undefined when it is none, or has no Call-ID. */
export const parseSipMessage = (
  bytes: Uint8Array,
): Pick<SipMessage, 'text' | 'callId' | 'method' | 'status' | 'reason'> | undefined => {
  if (!startsWithSip(bytes)) return undefined
  const text = decoder.decode(bytes)
  const head = headerSection(text)
  const callId = callIdLine.exec(head)?.[1]?.trim()
  if (!callId) return undefined
  return { text, callId, ...parseStartLine(head) }
}

const longHeaderNames: Record<string, string> = {
  a: 'Accept-Contact',
  b: 'Referred-By',
  c: 'Content-Type',
  d: 'Request-Disposition',
  e: 'Content-Encoding',
  f: 'From',
  i: 'Call-ID',
  j: 'Reject-Contact',
  k: 'Supported',
  l: 'Content-Length',
  m: 'Contact',
  o: 'Event',
  r: 'Refer-To',
  s: 'Subject',
  t: 'To',
  u: 'Allow-Events',
  v: 'Via',
  x: 'Session-Expires',
}

export interface SipParts {
  startLine: string
  headers: { name: string; value: string }[]
  body: string
}

/** A message taken apart, for who reads it. Short names of headers come as their long ones. */
export const splitSipMessage = (text: string): SipParts => {
  const head = headerSection(text)
  const [startLine = '', ...lines] = head.split(/\r?\n/)
  const headers: SipParts['headers'] = []
  for (const line of lines) {
    const last = headers.at(-1)
    const colon = line.indexOf(':')
    if (/^[ \t]/.test(line) && last) last.value += ` ${line.trim()}`
    else if (colon > 0) {
      const name = line.slice(0, colon).trim()
      headers.push({ name: longHeaderNames[name.toLowerCase()] ?? name, value: line.slice(colon + 1).trim() })
    }
  }
  return { startLine, headers, body: text.slice(head.length).replace(/^(?:\r?\n){1,2}/, '') }
}

/** The value of a header, the first where there are several. */
export const headerValue = ({ headers }: SipParts, name: string): string | undefined =>
  headers.find((each) => each.name.toLowerCase() === name)?.value
