import type {
  CloudWatchLogsClient,
  CloudWatchLogsClientConfig,
  FilterLogEventsResponse,
} from '@aws-sdk/client-cloudwatch-logs'
import { messages } from '@trunkline/contract/messages/system-log'
import type { CallLogIds, SystemLogs } from '../../ports/system-logs'
import { Unavailable } from '../../ports/unavailable'

export interface CloudWatchOptions {
  region: string
  /** Another address than AWS's own and who we are there, for tests on what stands in for it. */
  elsewhere?: Pick<CloudWatchLogsClientConfig, 'endpoint' | 'credentials'>
  /** Milliseconds that a search may take: one without an end is not worth waiting for. */
  patience?: number
  /** Lines, and characters in them, after which no further page is asked for. */
  most?: { lines: number; characters: number }
}

const denied = new Set([
  'AccessDeniedException',
  'CredentialsProviderError',
  'ExpiredTokenException',
  'InvalidSignatureException',
  'UnrecognizedClientException',
])

/** What went wrong is told by us: the kit would also write to the console. */
const silent = { trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/**
 * A name in CloudWatch's language of patterns; undefined for one that cannot be said in it to the letter: a star stands for
 * anything there, also in quotes, per cents begin an expression, and of control characters nothing is said.
 */
const quoted = (name: string): string | undefined =>
  /[*%\u0000-\u001f\u007f]/.test(name) ? undefined : `"${name.replaceAll(/["\\]/g, '\\$&')}"`

/** Lines with this call's names; undefined when neither can be said. */
const patternOf = ({ callSid, callId }: CallLogIds): string | undefined => {
  const terms = Object.entries({ callSid, callId }).flatMap(([field, name]) => {
    const text = name === undefined ? undefined : quoted(name)
    return text === undefined ? [] : [`($.${field} = ${text})`]
  })
  return terms.length > 0 ? `{ ${terms.join(' || ')} }` : undefined
}

/** Logs in Amazon CloudWatch, read with the server's own identity. */
export const cloudWatchLogs = ({
  region,
  elsewhere = {},
  patience = 20_000,
  most = { lines: 10_000, characters: 8_000_000 },
}: CloudWatchOptions): SystemLogs => {
  let client: CloudWatchLogsClient | undefined

  const fault = (error: unknown, group: string): Unavailable => {
    const { name, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } }
    if (name === 'ResourceNotFoundException') return new Unavailable(messages.noGroup(group, region))
    if (denied.has(name)) return new Unavailable(messages.denied)
    return new Unavailable($metadata?.httpStatusCode ? messages.failed : messages.silent)
  }

  /** All pages until there are no more, or enough. The time is over when the signal says so. */
  async function* pages(
    group: string,
    asked: { from: number; to: number; pattern: string },
    signal: AbortSignal,
  ): AsyncGenerator<FilterLogEventsResponse> {
    const { CloudWatchLogsClient: Client, FilterLogEventsCommand } = await import('@aws-sdk/client-cloudwatch-logs')
    client ??= new Client({ region, ...elsewhere, logger: silent, requestHandler: { connectionTimeout: 5_000 } })
    let nextToken: string | undefined
    do {
      const command = new FilterLogEventsCommand({
        logGroupName: group,
        startTime: asked.from,
        endTime: asked.to,
        filterPattern: asked.pattern,
        ...(nextToken ? { nextToken } : {}),
      })
      const page = await client.send(command, { abortSignal: signal })
      yield page
      nextToken = page.nextToken
    } while (nextToken)
  }

  return {
    async find({ group, from, to, ...name }) {
      const pattern = patternOf(name)
      if (pattern === undefined) return { lines: [], complete: true }
      const signal = AbortSignal.timeout(patience)
      const lines: string[] = []
      let characters = 0
      let began = false
      try {
        for await (const { events = [], nextToken } of pages(group, { from, to, pattern }, signal)) {
          began = true
          for (const { message = '' } of events) {
            lines.push(message)
            characters += message.length
          }
          if (nextToken && (lines.length >= most.lines || characters >= most.characters))
            return { lines, complete: false }
        }
      } catch (error) {
        // What was read until the time was over is worth having.
        if (began && signal.aborted) return { lines, complete: false }
        throw fault(error, group)
      }
      return { lines, complete: true }
    },
  }
}
