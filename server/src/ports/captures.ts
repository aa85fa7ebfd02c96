import type { CapturePage } from '@trunkline/contract/shapes/capture'

/** The method that starts a SIP dialog: of a call or of a registration. */
export type DialogType = 'invite' | 'register'

export interface CaptureListOptions {
  /** Part of the request URI, From, To, Call-ID or an address. */
  text?: string
  dialogType?: DialogType
  /** Lists older dialogs only. The value is `next` of the previous page. */
  beforeSid?: string
}

/** Reads captured SIP messages. Throws UnavailableError if the capture server does not respond. */
export interface Captures {
  /** The messages of a dialog in the format of the capture server, and their `total`; undefined if unknown. */
  findMessages(callId: string): Promise<{ total: number } | undefined>
  /** The packets of a dialog as a pcap file; undefined if unknown. */
  findPcap(callId: string, dialogType: DialogType): Promise<Buffer | undefined>
  /** Dialogs, newest first. Absent if the capture server cannot list them. */
  listDialogs?(options: CaptureListOptions): Promise<CapturePage>
}

/** An IPv4 or IPv6 address (4 or 16 bytes) and a port. */
export interface Endpoint {
  address: Buffer
  port: number
}

/** A SIP message on the network. Source and target have addresses of the same length. */
export interface CapturedMessage {
  callId: string
  dialogType: DialogType
  source: Endpoint
  target: Endpoint
  /** Microseconds since 1970. */
  timeUs: number
  /** The SIP message without network headers; at most 65,000 bytes. */
  payload: Buffer
}

/** Captures in our own tables. */
export interface CaptureStore extends Captures {
  /** Resolves once the messages are stored durably. Callers wait for this before they store more. */
  storeMessages(messages: readonly CapturedMessage[]): Promise<void>
  /** Deletes captures that are older than their retention period. */
  prune(signal?: AbortSignal): Promise<void>
}
