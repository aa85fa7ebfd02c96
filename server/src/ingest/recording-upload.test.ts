import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, it, vi } from 'vitest'
import type { RecordingStore } from '../ports/recording-store'
import { recordingUploadRoutes } from './recording-upload'

it('discards the recording of a client that leaves before the recording is started', async () => {
  const events = new EventEmitter()
  const discard = vi.fn(() => Promise.resolve())
  const recordingStore = {
    findRecording: () => Promise.resolve(undefined),
    async startRecording() {
      events.emit('requested')
      await once(events, 'disconnected')
      return { write: () => Promise.resolve(), end: () => Promise.resolve(), discard }
    },
  } as unknown as RecordingStore
  const account_sid = randomUUID()
  const app = Fastify()
  recordingUploadRoutes(app, {
    recordingStore,
    findWriter: () => Promise.resolve({ service_provider_sid: randomUUID(), account_sid }),
    findProvider: () => Promise.resolve(undefined),
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const requested = once(events, 'requested')
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    `PUT /v1/Accounts/${account_sid}/RecentCalls/${randomUUID()}/record/2026/01/01/wav HTTP/1.1\r\n` +
      'host: test\r\ncontent-type: audio/wav\r\ncontent-length: 1000\r\n\r\nRIFF',
  )
  await requested
  socket.resetAndDestroy()
  await setTimeout(50)
  events.emit('disconnected')
  await vi.waitFor(() => expect(discard).toHaveBeenCalledOnce())
  await app.close()
})
