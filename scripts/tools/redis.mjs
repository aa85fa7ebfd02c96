import { connect } from 'node:net'
import { ensureDaemon, host } from './daemon.mjs'

/** @param {number} port @returns {Promise<boolean>} */
const isReady = (port) =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1000 }, () => socket.write('PING\r\n'))
    const finish = (/** @type {boolean} */ result) => {
      socket.destroy()
      resolve(result)
    }
    socket.once('data', () => finish(true))
    socket.once('error', () => finish(false))
    socket.once('timeout', () => finish(false))
  })

/** Starts an empty Redis for the tests. Undefined if it cannot be installed. */
export const ensureRedis = () =>
  ensureDaemon({
    title: 'Redis',
    urlVariable: 'TEST_REDIS_URL',
    program: 'redis-server',
    aptPackage: 'redis-server',
    startTimeoutSeconds: 10,
    url: (port) => `redis://${host}:${port}`,
    buildArgs: (folder, port) => [
      ...['--bind', host, '--port', String(port), '--dir', folder],
      ...['--save', '', '--appendonly', 'no'],
    ],
    isReady,
  })
