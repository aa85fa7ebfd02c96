/** The transport protocol of a message. */
export type Transport = 'UDP' | 'TCP' | 'WS'

/** A captured SIP message. */
export interface SipMessage {
  /** Microseconds since 1970. */
  time: number
  source: SocketAddress
  target: SocketAddress
  transport: Transport
  /** The whole message, as text. */
  text: string
  /** Whether the end of the message was not captured. */
  isTruncated: boolean
  callId: string
  /** The method of the request; for a response, the method of its request. */
  method: string
  /** Responses only, like `reason`. */
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
/** The number of bytes to search for the end of the start line. */
const maxStartLineBytes = 4096

/** Whether this byte is an ASCII letter. */
export const isLetter = (code: number | undefined) =>
  code !== undefined && ((code >= 65 && code <= 90) || (code >= 97 && code <= 122))

/** Whether these bytes begin with a SIP start line. */
export const hasSipStartLine = (bytes: Uint8Array): boolean => {
  if (!isLetter(bytes[0])) return false
  const end = bytes.subarray(0, maxStartLineBytes).indexOf(newline)
  const line = latin1.decode(bytes.subarray(0, end < 0 ? Math.min(bytes.length, maxStartLineBytes) : end))
  return /^(?:SIP\/2\.0 \d{3}\b|[A-Z]{3,20} \S+ SIP\/2\.0\r?$)/.test(line)
}

const callIdLine = /^(?:call-id|i)[ \t]*:([^\r\n]+)/im
const cseqLine = /^cseq[ \t]*:[ \t]*\d+[ \t]+(\w+)/im
const lengthLine = /^(?:content-length|l)[ \t]*:[ \t]*(\d{1,9})[ \t]*\r?$/im

const getHeaderSection = (text: string): string => text.split(/\r?\n\r?\n/, 1)[0]!

/** The Content-Length of a message; 0 without the header. */
export const parseContentLength = (head: Uint8Array): number => Number(lengthLine.exec(latin1.decode(head))?.[1] ?? 0)

/** The method of a request, or the status, reason and method (from CSeq) of a response. */
const parseStartLine = (head: string): Pick<SipMessage, 'method' | 'status' | 'reason'> => {
  const [, status, reason = ''] = /^SIP\/2\.0 (\d{3}) ?([^\r\n]*)/.exec(head) ?? []
  if (status === undefined) return { method: /^\w+/.exec(head)?.[0] ?? '' }
  const method = cseqLine.exec(head)?.[1]?.toUpperCase() ?? ''
  return { method, status: Number(status), reason: reason.trim() }
}

/** Parses the start line and Call-ID. Undefined if the bytes are not a SIP message or have no Call-ID. */
export const parseSipMessage = (
  bytes: Uint8Array,
): Pick<SipMessage, 'text' | 'callId' | 'method' | 'status' | 'reason'> | undefined => {
  if (!hasSipStartLine(bytes)) return undefined
  const text = decoder.decode(bytes)
  const head = getHeaderSection(text)
  const callId = callIdLine.exec(head)?.[1]?.trim()
  if (!callId) return undefined
  return { text, callId, ...parseStartLine(head) }
}

const longHeaderNames = new Map(
  Object.entries({
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
  }),
)

export interface SipMessageSections {
  startLine: string
  headers: { name: string; value: string }[]
  body: string
}

/** Splits a message for display. Compact header names are expanded. */
export const splitSipMessage = (text: string): SipMessageSections => {
  const head = getHeaderSection(text)
  const [startLine = '', ...lines] = head.split(/\r?\n/)
  const headers: SipMessageSections['headers'] = []
  for (const line of lines) {
    const lastHeader = headers.at(-1)
    const colon = line.indexOf(':')
    if (/^[ \t]/.test(line) && lastHeader) lastHeader.value += ` ${line.trim()}`
    else if (colon > 0) {
      const name = line.slice(0, colon).trim()
      headers.push({ name: longHeaderNames.get(name.toLowerCase()) ?? name, value: line.slice(colon + 1).trim() })
    }
  }
  return { startLine, headers, body: text.slice(head.length).replace(/^(?:\r?\n){1,2}/, '') }
}

/** The value of the first header with this name, which must be in lower case. */
export const findHeaderValue = ({ headers }: SipMessageSections, name: string): string | undefined =>
  headers.find((header) => header.name.toLowerCase() === name)?.value
