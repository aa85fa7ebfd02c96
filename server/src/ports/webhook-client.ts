export interface WebhookRequest {
  /** http or https. */
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
}

/** Why there was no response. */
export type WebhookFailure =
  | 'forbidden'
  | 'name'
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'closed'
  | 'expired'
  | 'untrusted'
  | 'otherName'
  | 'tls'
  | 'notHttp'
  | 'other'

export type WebhookOutcome = { durationMs: number } & (
  | {
      kind: 'response'
      status: number
      contentType: string | null
      /** At most `maxBodyBytes`. */
      body: Buffer
      isComplete: boolean
    }
  | { kind: 'failure'; failure: WebhookFailure }
)

/** Sends requests to webhooks as voice servers do. */
export interface WebhookClient {
  readonly timeoutMs: number
  readonly maxBodyBytes: number
  /** Resolves whatever happens. */
  send(request: WebhookRequest): Promise<WebhookOutcome>
}
