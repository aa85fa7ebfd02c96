import { readBody, startHttpServer } from './http-server'

/** The body of a FilterLogEvents request, with AWS's names. */
export interface LogRequest {
  logGroupName: string
  startTime: number
  endTime: number
  filterPattern: string
  nextToken?: string
}

interface LogEvent {
  group: string
  timestamp: number
  message: string
}

export const awsKey = { accessKeyId: 'AKIALOGS', secretAccessKey: 'a-secret' }

/** One comparison of a JSON filter pattern: a field, and a quoted text in which `*` matches anything. */
const comparisonPattern = /\(\$\.(\w+) = "((?:[^"\\]|\\.)*)"\)(?: \|\| | \}$)/y

const wildcardPattern = (text: string) =>
  new RegExp(
    `^${text
      .split('*')
      .map((part) => part.replaceAll(/\\(.)/g, '$1').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    's',
  )

/** Parses the comparisons of a pattern, joined by `||`. Returns undefined if the pattern is invalid. */
const parseFilterPattern = (pattern: string): { field: string; value: RegExp }[] | undefined => {
  const comparisons: { field: string; value: RegExp }[] = []
  comparisonPattern.lastIndex = pattern.startsWith('{ ') ? 2 : pattern.length
  while (comparisonPattern.lastIndex < pattern.length) {
    const match = comparisonPattern.exec(pattern)
    if (!match) return undefined
    comparisons.push({ field: match[1] ?? '', value: wildcardPattern(match[2] ?? '') })
  }
  return comparisons.length > 0 ? comparisons : undefined
}

/** Whether an event matches one of the comparisons. Events that are not JSON never match. */
const matchesAnyComparison = (comparisons: { field: string; value: RegExp }[], message: string): boolean => {
  try {
    const entry = JSON.parse(message) as Record<string, unknown>
    return comparisons.some(({ field, value }) => typeof entry[field] === 'string' && value.test(entry[field]))
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
  const storedEvents: LogEvent[] = []
  const groups = new Set<string>()
  let failure: { status: number; type: string } | undefined
  let maxRequests = Infinity
  const { address, stop } = await startHttpServer((request, response) => {
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))
    const sendError = (type: string, status = 400) => send(status, { __type: type, message: `${type} it is` })
    void (async () => {
      const body = (await readBody(request)).toString()
      if (request.headers['x-amz-target'] !== 'Logs_20140328.FilterLogEvents')
        return sendError('UnknownOperationException')
      const signaturePattern = new RegExp(
        `^AWS4-HMAC-SHA256 Credential=${awsKey.accessKeyId}/\\d{8}/[\\w-]+/logs/aws4_request,`,
      )
      if (!signaturePattern.test(request.headers.authorization ?? '')) return sendError('UnrecognizedClientException')
      if (failure) return sendError(failure.type, failure.status)
      const query = JSON.parse(body) as LogRequest
      receivedRequests.push(query)
      if (receivedRequests.length > maxRequests) return undefined
      const { logGroupName: group, startTime, endTime, filterPattern, nextToken } = query
      if (!groups.has(group)) return sendError('ResourceNotFoundException')
      const comparisons = parseFilterPattern(filterPattern)
      if (!comparisons || startTime > endTime) return sendError('InvalidParameterException')
      const matchingEvents = storedEvents
        .filter((event) => event.group === group && event.timestamp >= startTime && event.timestamp <= endTime)
        .filter(({ message }) => matchesAnyComparison(comparisons, message))
        .toSorted((a, b) => a.timestamp - b.timestamp)
      // Every other page is empty and has only a token, as CloudWatch returns while a search continues.
      const page = Number(nextToken ?? 0)
      const events = page % 2 === 0 ? matchingEvents.slice((page / 2) * pageSize, (page / 2 + 1) * pageSize) : []
      const hasMore = Math.ceil((page + 1) / 2) * pageSize < matchingEvents.length
      return send(200, {
        events: events.map(({ timestamp, message }, index) => ({
          eventId: `${page}-${index}`,
          ingestionTime: timestamp,
          logStreamName: 'one',
          message,
          timestamp,
        })),
        ...(hasMore ? { nextToken: String(page + 1) } : {}),
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
      for (const { timestamp, message: text } of lines)
        storedEvents.push({ group, timestamp, message: typeof text === 'string' ? text : JSON.stringify(text) })
    },
    /** Refuses all requests from now on; `undefined` ends this. */
    failWith: (type: string | undefined, status = 400) => {
      failure = type === undefined ? undefined : { type, status }
    },
    /** Responds to this number of further requests, and then no longer. */
    hangAfter: (requests: number) => {
      maxRequests = receivedRequests.length + requests
    },
    stop,
  }
}
