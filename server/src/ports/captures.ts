import type { CapturePage } from '@trunkline/contract/shapes/capture'

/** A SIP dialog of a call or of a registration. */
export type Dialogue = 'invite' | 'register'

/** `before`: the `next` of the previous page. */
export interface CaptureListOptions {
  /** Contained in the request URI, From, To, Call-ID or an address. */
  text?: string
  dialogue?: Dialogue
  beforeSid?: string
}

/** Captured SIP messages. Throws UnavailableError if the capture server does not respond. */
export interface Captures {
  /** The messages of a dialog in the format of the capture server, and their `total`; undefined if unknown. */
  trace(callId: string): Promise<{ total: number } | undefined>
  /** The packets of a dialog as a pcap file; undefined if unknown. */
  pcap(callId: string, dialogue: Dialogue): Promise<Buffer | undefined>
  /** Dialogs, newest first. Absent if the capture server cannot list them. */
  list?(options: CaptureListOptions): Promise<CapturePage>
}

/** An IPv4 or IPv6 address (4 or 16 bytes) and a port. */
export interface Endpoint {
  address: Buffer
  port: number
}

/** A SIP message on the network. Source and target have addresses of the same length. */
export interface CapturedMessage {
  callId: string
  dialogue: Dialogue
  source: Endpoint
  target: Endpoint
  /** Microseconds since 1970. */
  time: number
  /** The SIP message without network headers; at most 65,000 bytes. */
  payload: Buffer
}

/** Captures in our own tables. */
export interface CaptureStore extends Captures {
  /** Resolves once the messages are stored durably. Callers wait for this before the next call. */
  add(messages: readonly CapturedMessage[]): Promise<void>
  /** Deletes captures that are older than their retention period. */
  prune(signal?: AbortSignal): Promise<void>
}
