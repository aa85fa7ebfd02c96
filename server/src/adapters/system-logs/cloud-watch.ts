import type {
  CloudWatchLogsClient,
  CloudWatchLogsClientConfig,
  FilterLogEventsResponse,
} from '@aws-sdk/client-cloudwatch-logs'
import { messages } from '@trunkline/contract/messages/system-log'
import type { CallLogIds, SystemLogs } from '../../ports/system-logs'
import { UnavailableError } from '../../ports/service-errors'

export interface CloudWatchOptions {
  region: string
  /** Replaces AWS's endpoint and the server's identity, for tests. */
  clientOverrides?: Pick<CloudWatchLogsClientConfig, 'endpoint' | 'credentials'>
  /** Timeout of a search with all its pages. */
  timeoutMs?: number
  /** When this many lines or characters have been read, no further page is requested. */
  limits?: { lines: number; characters: number }
}

const deniedErrors = new Set([
  'AccessDeniedException',
  'CredentialsProviderError',
  'ExpiredTokenException',
  'InvalidSignatureException',
  'UnrecognizedClientException',
])

/** Errors are reported by this server; the SDK would also write to the console. */
const silentLogger = { trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/**
 * Quotes a value for a CloudWatch pattern; undefined if it cannot be matched literally: `*` is a wildcard even in quotes, `%`
 * starts a regular expression, and the meaning of control characters is not documented.
 */
const quoteValue = (value: string): string | undefined =>
  /[*%\u0000-\u001f\u007f]/.test(value) ? undefined : `"${value.replaceAll(/["\\]/g, '\\$&')}"`

/** Builds a pattern for lines with an identifier of the call; undefined if neither identifier can be matched. */
const buildPattern = ({ callSid, callId }: CallLogIds): string | undefined => {
  const terms = Object.entries({ callSid, callId }).flatMap(([field, value]) => {
    const quotedValue = value === undefined ? undefined : quoteValue(value)
    return quotedValue === undefined ? [] : [`($.${field} = ${quotedValue})`]
  })
  return terms.length > 0 ? `{ ${terms.join(' || ')} }` : undefined
}

/** Creates a reader of logs in Amazon CloudWatch, which uses the server's own identity. */
export const createCloudWatchLogs = ({
  region,
  clientOverrides = {},
  timeoutMs = 20_000,
  limits = { lines: 10_000, characters: 8_000_000 },
}: CloudWatchOptions): SystemLogs => {
  let client: CloudWatchLogsClient | undefined

  const toUnavailableError = (error: unknown, group: string): UnavailableError => {
    const { name, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } }
    if (name === 'ResourceNotFoundException') return new UnavailableError(messages.noGroup(group, region))
    if (deniedErrors.has(name)) return new UnavailableError(messages.denied)
    return new UnavailableError($metadata?.httpStatusCode ? messages.failed : messages.timeout)
  }

  /** Reads all pages until the signal aborts. */
  async function* readPages(
    group: string,
    query: { from: number; to: number; pattern: string },
    signal: AbortSignal,
  ): AsyncGenerator<FilterLogEventsResponse> {
    const { CloudWatchLogsClient: Client, FilterLogEventsCommand } = await import('@aws-sdk/client-cloudwatch-logs')
    client ??= new Client({
      region,
      ...clientOverrides,
      logger: silentLogger,
      requestHandler: { connectionTimeout: 5_000 },
    })
    let nextToken: string | undefined
    do {
      const command = new FilterLogEventsCommand({
        logGroupName: group,
        startTime: query.from,
        endTime: query.to,
        filterPattern: query.pattern,
        ...(nextToken ? { nextToken } : {}),
      })
      const page = await client.send(command, { abortSignal: signal })
      yield page
      nextToken = page.nextToken
    } while (nextToken)
  }

  return {
    async findLines({ logGroup: group, from, to, ...callIds }) {
      const pattern = buildPattern(callIds)
      if (pattern === undefined) return { lines: [], isComplete: true }
      const signal = AbortSignal.timeout(timeoutMs)
      const lines: string[] = []
      let characters = 0
      let hasResults = false
      try {
        for await (const { events = [], nextToken } of readPages(group, { from, to, pattern }, signal)) {
          hasResults = true
          for (const { message = '' } of events) {
            lines.push(message)
            characters += message.length
          }
          if (nextToken && (lines.length >= limits.lines || characters >= limits.characters))
            return { lines, isComplete: false }
        }
      } catch (error) {
        // Lines that were read before the timeout are still useful.
        if (hasResults && signal.aborted) return { lines, isComplete: false }
        throw toUnavailableError(error, group)
      }
      return { lines, isComplete: true }
    },
  }
}
