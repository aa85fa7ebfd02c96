export interface WebhookRequest {
  /** http or https. */
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
}

/** Why there was no response. */
export type WebhookFailure =
  /** The address is in a private network, and requests to it are not allowed. */
  | 'forbidden'
  /** The host name could not be resolved. */
  | 'name'
  | 'refused'
  | 'unreachable'
  | 'timeout'
  /** The connection was closed before the response was complete. */
  | 'closed'
  /** The TLS certificate has expired, is not trusted or was issued for another name. */
  | 'expired'
  | 'untrusted'
  | 'otherName'
  /** Any other TLS error. */
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
  /** Never rejects: a failure is an outcome. */
  send(request: WebhookRequest): Promise<WebhookOutcome>
}
