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

export const redisProgram = { title: 'Redis', program: 'redis-server', aptPackage: 'redis-server' }

/** @param {string} folder @param {number} port */
export const buildRedisArgs = (folder, port) => [
  ...['--bind', host, '--port', String(port), '--dir', folder],
  ...['--save', '', '--appendonly', 'no'],
]

/** Starts an empty Redis for the tests. Undefined if it cannot be installed. */
export const ensureRedis = () =>
  ensureDaemon({
    urlVariable: 'TEST_REDIS_URL',
    ...redisProgram,
    startTimeoutSeconds: 10,
    url: (port) => `redis://${host}:${port}`,
    buildArgs: buildRedisArgs,
    isReady,
  })
