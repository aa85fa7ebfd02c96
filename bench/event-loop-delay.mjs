// Loaded into a measured server with `node --import`. When the server stops, it prints how long its event loop was blocked.
import { subscribe } from 'node:diagnostics_channel'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 1 })
// The start blocks the event loop too. The first request is the health check of a server that has started.
subscribe('http.server.request.start', () => delay.enable())

/** @param {number} nanoseconds */
const toMs = (nanoseconds) => (nanoseconds / 1e6).toFixed(1)
process.on('exit', () => {
  console.log(`event loop delay: p99 ${toMs(delay.percentile(99))}, at most ${toMs(delay.max)} ms`)
})
