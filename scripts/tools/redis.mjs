import { connect } from 'node:net'
import { ensureDaemon, host } from './daemon.mjs'

/** @param {number} port @returns {Promise<boolean>} */
const answers = (port) =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1000 }, () => socket.write('PING\r\n'))
    const end = (/** @type {boolean} */ result) => {
      socket.destroy()
      resolve(result)
    }
    socket.once('data', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })

/** Starts an empty Redis for the tests. Undefined if it cannot be installed. */
export const ensureRedis = () =>
  ensureDaemon({
    title: 'Redis',
    variable: 'TEST_REDIS_URL',
    program: 'redis-server',
    pack: 'redis-server',
    seconds: 10,
    url: (port) => `redis://${host}:${port}`,
    settings: (folder, port) => [
      ...['--bind', host, '--port', String(port), '--dir', folder],
      ...['--save', '', '--appendonly', 'no'],
    ],
    answers,
  })
