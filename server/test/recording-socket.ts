import { once } from 'node:events'
import { WebSocket } from 'ws'

/** The WebSocket of a voice server for one recording. `closed` resolves to the close code and reason. */
export const openRecordingSocket = async (
  address: string,
  { path = '/record/acme', authorization }: { path?: string; authorization?: string } = {},
) => {
  const socket = new WebSocket(address.replace(/^http/, 'ws') + path, {
    headers: authorization ? { authorization } : {},
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  await Promise.race([
    once(socket, 'open'),
    once(socket, 'unexpected-response').then(([, response]) => {
      throw new Error(`refused with ${(response as { statusCode: number }).statusCode}`)
    }),
  ])
  return {
    sendText: (text: string) => socket.send(text),
    sendAudio: (audio: Buffer) => socket.send(audio),
    close: () => socket.close(),
    /** Like a lost connection. */
    disconnect: () => socket.terminate(),
    closed,
  }
}

export const buildBasicAuthHeader = (password: string, username = 'anyone') =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** The message that a voice server sends before the audio. */
export const buildStartMessage = (accountSid: string, callSid: string, overrides: object = {}) =>
  JSON.stringify({
    accountSid,
    callSid,
    sampleRate: 8000,
    direction: 'inbound',
    from: '+1555',
    to: '+1556',
    ...overrides,
  })
