import type { CapturePage } from '@trunkline/contract/shapes/capture'

/** What is wanted of a SIP dialogue: that of a call, or of a registration. */
export type Dialogue = 'invite' | 'register'

/** Which dialogues a list shows. `before`: the `next` of the page before. */
export interface CaptureListOptions {
  /** Contained in the request URI, From, To, Call-ID or an address. */
  text?: string
  dialogue?: Dialogue
  before?: string
}

/** Where SIP messages are captured. What does not answer is Unavailable; what is not there is undefined. */
export interface Captures {
  /** What was captured of a dialogue, in the capture server's own form; `total` messages. */
  trace(callId: string): Promise<{ total: number } | undefined>
  /** The captured packets as a file. */
  pcap(callId: string, dialogue: Dialogue): Promise<Buffer | undefined>
  /** Dialogues, the newest first. Absent where they cannot be listed. */
  list?(options: CaptureListOptions): Promise<CapturePage>
}

/** One end of a message's way: 4 or 16 bytes and a port. */
export interface Endpoint {
  address: Buffer
  port: number
}

/** A SIP message as it was seen on its way. Both ends have addresses of the same length. */
export interface CapturedMessage {
  callId: string
  dialogue: Dialogue
  source: Endpoint
  target: Endpoint
  /** Microseconds since 1970. */
  time: number
  /** The message itself, without what carried it; at most 65,000 bytes. */
  payload: Buffer
}

/** A store of captures of our own. */
export interface CaptureStore extends Captures {
  /** Resolves once they are kept for good. Called again only after that. */
  keep(messages: readonly CapturedMessage[]): Promise<void>
  /** Lets go of what is older than it is to be kept. */
  prune(stopped?: AbortSignal): Promise<void>
}
