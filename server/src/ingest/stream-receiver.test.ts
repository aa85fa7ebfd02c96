import { EventEmitter } from 'node:events'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { FastifyBaseLogger } from 'fastify'
import type { WebSocket } from 'ws'
import { receiveStream } from './stream-receiver'

it('does not disconnect a client whose replies to pings it does not read, because the disk is slow', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const terminate = vi.fn()
  const socket = Object.assign(new EventEmitter(), {
    isPaused: false,
    pause: () => (socket.isPaused = true),
    ping: () => undefined,
    terminate,
  })
  receiveStream(socket as unknown as WebSocket, {
    startRecording: () => new Promise(() => undefined),
    onClose: () => undefined,
    log: {} as FastifyBaseLogger,
  })
  socket.emit('message', Buffer.from('{}'), false)
  socket.emit('message', Buffer.alloc(2 * 1024 * 1024), true)
  expect(socket.isPaused).toBe(true)
  vi.advanceTimersByTime(120_000)
  expect(terminate).not.toHaveBeenCalled()
  socket.isPaused = false
  vi.advanceTimersByTime(60_000)
  expect(terminate).toHaveBeenCalledOnce()
  socket.emit('close')
})

it('asks the client to try again later while the database is down', async () => {
  const close = vi.fn()
  const socket = Object.assign(new EventEmitter(), { close })
  receiveStream(socket as unknown as WebSocket, {
    startRecording: () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED', fatal: true })),
    onClose: () => undefined,
    log: { error: () => undefined } as unknown as FastifyBaseLogger,
  })
  socket.emit('message', Buffer.from('{}'), false)
  await vi.waitFor(() => expect(close).toHaveBeenCalledWith(1013, 'the server is not available at the moment'))
  socket.emit('close')
})
