import type { CapturedMessage } from '../src/ports/captures'

/** A SIP message captured now; an INVITE by default. */
export const buildCapturedMessage = (callId: string, changes: Partial<CapturedMessage> = {}): CapturedMessage => ({
  callId,
  dialogType: 'invite',
  source: { address: Buffer.from([198, 51, 100, 24]), port: 5060 },
  target: { address: Buffer.from([203, 0, 113, 10]), port: 5070 },
  timeUs: Date.now() * 1000,
  payload: Buffer.from(`INVITE sip:x SIP/2.0\r\nCall-ID: ${callId}\r\n\r\n`),
  ...changes,
})
