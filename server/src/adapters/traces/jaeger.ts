import type { ResourceSpans } from '@trunkline/contract/calls/spans-wire'
import type { Traces } from '../../ports/traces'
import { Unavailable } from '../../ports/unavailable'
import { wholeBody } from '../whole-body'

/** Milliseconds. */
const patience = 15_000

const nobody = { service_provider_sid: null, account_sid: null }

/** The lines of a stream of answers, or the one answer there is: a long trace comes in several pieces. */
const answersIn = (text: string): unknown[] => {
  try {
    return [JSON.parse(text)]
  } catch {
    return text.split('\n').flatMap((line) => {
      try {
        return line.trim() === '' ? [] : [JSON.parse(line) as unknown]
      } catch {
        throw new Unavailable('The tracing server gives no answer that can be read.')
      }
    })
  }
}

const spansIn = (answer: unknown): ResourceSpans[] => {
  const { result } = (answer ?? {}) as { result?: { resourceSpans?: unknown } }
  return Array.isArray(result?.resourceSpans) ? (result.resourceSpans as ResourceSpans[]) : []
}

/** Traces in a Jaeger, asked through the third version of its query service. The platform's voice servers write there. */
export const jaegerTraces = (url: string): Traces => {
  const ask = async (traceId: string): Promise<Response> => {
    try {
      return await fetch(`${url}/api/v3/traces/${traceId}`, {
        headers: { accept: 'application/json' },
        signal: AbortSignal.timeout(patience),
      })
    } catch {
      throw new Unavailable('The tracing server does not answer. Try again later.')
    }
  }
  return {
    async find(traceId) {
      const response = await ask(traceId)
      const text = (await wholeBody(response, 'The tracing server')).toString()
      if (!response.ok) {
        // Some versions say with 500 that there is none.
        if (response.status < 500 || response.status === 501 || /not found/i.test(text)) return []
        throw new Unavailable('The tracing server failed. Try again later.')
      }
      const spans = answersIn(text).flatMap(spansIn)
      return spans.length > 0 ? [{ writer: nobody, spans }] : []
    },
  }
}
