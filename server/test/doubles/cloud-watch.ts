import { bodyOf, listening } from './listening'

/** The body of a FilterLogEvents request, with AWS's names. */
export interface LogRequest {
  logGroupName: string
  startTime: number
  endTime: number
  filterPattern: string
  nextToken?: string
}

interface Event {
  group: string
  timestamp: number
  message: string
}

export const logKey = { accessKeyId: 'AKIALOGS', secretAccessKey: 'a-secret' }

/** One comparison of a JSON filter pattern: a field, and a quoted text in which `*` matches anything. */
const comparison = /\(\$\.(\w+) = "((?:[^"\\]|\\.)*)"\)(?: \|\| | \}$)/y

const wild = (text: string) =>
  new RegExp(
    `^${text
      .split('*')
      .map((part) => part.replaceAll(/\\(.)/g, '$1').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    's',
  )

/** Parses the comparisons of a pattern, joined by `||`. Returns undefined if the pattern is invalid. */
const termsOf = (pattern: string): { field: string; value: RegExp }[] | undefined => {
  const terms: { field: string; value: RegExp }[] = []
  comparison.lastIndex = pattern.startsWith('{ ') ? 2 : pattern.length
  while (comparison.lastIndex < pattern.length) {
    const result = comparison.exec(pattern)
    if (!result) return undefined
    terms.push({ field: result[1] ?? '', value: wild(result[2] ?? '') })
  }
  return terms.length > 0 ? terms : undefined
}

/** Whether an event matches one of the comparisons. Events that are not JSON never match. */
const fits = (terms: { field: string; value: RegExp }[], message: string): boolean => {
  try {
    const entry = JSON.parse(message) as Record<string, unknown>
    return terms.some(({ field, value }) => typeof entry[field] === 'string' && value.test(entry[field]))
  } catch {
    return false
  }
}

/**
 * A double of FilterLogEvents of Amazon CloudWatch Logs (AWS JSON 1.1 over HTTP). It returns results in pages, some
 * of them empty, and refuses requests that its key has not signed.
 */
export const startCloudWatch = async (pageSize = 10_000) => {
  const receivedRequests: LogRequest[] = []
  const held: Event[] = []
  const groups = new Set<string>()
  let broken: { status: number; type: string } | undefined
  let stuckAfter = Infinity
  const { address, stop } = await listening((request, response) => {
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))
    const refuse = (type: string, status = 400) => send(status, { __type: type, message: `${type} it is` })
    void (async () => {
      const body = (await bodyOf(request)).toString()
      if (request.headers['x-amz-target'] !== 'Logs_20140328.FilterLogEvents')
        return refuse('UnknownOperationException')
      const signed = new RegExp(`^AWS4-HMAC-SHA256 Credential=${logKey.accessKeyId}/\\d{8}/[\\w-]+/logs/aws4_request,`)
      if (!signed.test(request.headers.authorization ?? '')) return refuse('UnrecognizedClientException')
      if (broken) return refuse(broken.type, broken.status)
      const wanted = JSON.parse(body) as LogRequest
      receivedRequests.push(wanted)
      if (receivedRequests.length > stuckAfter) return undefined
      const { logGroupName: group, startTime, endTime, filterPattern, nextToken } = wanted
      if (!groups.has(group)) return refuse('ResourceNotFoundException')
      const terms = termsOf(filterPattern)
      if (!terms || startTime > endTime) return refuse('InvalidParameterException')
      const result = held
        .filter((item) => item.group === group && item.timestamp >= startTime && item.timestamp <= endTime)
        .filter(({ message }) => fits(terms, message))
        .toSorted((a, b) => a.timestamp - b.timestamp)
      // Every other page is empty and has only a token, as CloudWatch returns while a search continues.
      const page = Number(nextToken ?? 0)
      const events = page % 2 === 0 ? result.slice((page / 2) * pageSize, (page / 2 + 1) * pageSize) : []
      const overrides = Math.ceil((page + 1) / 2) * pageSize < result.length
      return send(200, {
        events: events.map(({ timestamp, message }, index) => ({
          eventId: `${page}-${index}`,
          ingestionTime: timestamp,
          logStreamName: 'one',
          message,
          timestamp,
        })),
        ...(overrides ? { nextToken: String(page + 1) } : {}),
        searchedLogStreams: [],
      })
    })()
  })
  return {
    endpoint: address,
    requests: receivedRequests,
    /** Creates a group if it does not exist, and adds lines to it. */
    addLines: (group: string, lines: readonly { timestamp: number; message: object | string }[] = []) => {
      groups.add(group)
      for (const { timestamp, message: said } of lines)
        held.push({ group, timestamp, message: typeof said === 'string' ? said : JSON.stringify(said) })
    },
    /** Refuses all requests from now on; `undefined` ends this. */
    failWith: (type: string | undefined, status = 400) => {
      broken = type === undefined ? undefined : { type, status }
    },
    /** Responds to this number of further requests, and then no longer. */
    stickAfter: (requests: number) => {
      stuckAfter = receivedRequests.length + requests
    },
    stop,
  }
}
