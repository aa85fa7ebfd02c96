import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleServer, createTemporaryFolder, killAllServers, startProcess } from './process'

const { folder, remove } = createTemporaryFolder()
beforeAll(bundleServer)
afterAll(() => {
  killAllServers()
  remove()
})

/** Code for a process: it receives SIGTERM during a lookup of HOST's addresses, and its HTTP servers take a while to close. */
const writeStopDuringLookup = (lookupNumber: number) => `
  import dns from 'node:dns'
  import http from 'node:http'
  const { lookup } = dns
  const { close } = http.Server.prototype
  let lookupCount = 0
  dns.lookup = (...args) => {
    lookupCount += 1
    if (lookupCount === ${lookupNumber}) process.emit('SIGTERM')
    lookup(...args)
  }
  http.Server.prototype.close = function (done) {
    return close.call(this, (error) => setTimeout(() => done?.(error), 300))
  }`

// The machine may be busy.
describe('a server that starts to listen', { timeout: 120_000 }, () => {
  // The server looks up localhost twice: for its first address, then for the others.
  it.each([1, 2])('stops quietly on a signal during lookup %d of its host name', async (lookupNumber) => {
    const settings = {
      DATA_DIR: join(folder, `data-${lookupNumber}`),
      LOG_LEVEL: 'warn',
      HOST: 'localhost',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(writeStopDuringLookup(lookupNumber))}`,
      JWT_SECRET: 'a secret',
      ENCRYPTION_SECRET: 'another',
    }
    const firstProcess = startProcess(settings)
    expect({ status: await firstProcess.exitStatus, stderr: firstProcess.stderr() }).toEqual({ status: 0, stderr: '' })
    // The password of a new database is shown only once.
    expect(firstProcess.stdout()).toMatch(/^The database is ready: sign in as admin with the password \S{20,}\n$/)
    const secondProcess = startProcess(settings)
    expect(await secondProcess.exitStatus).toBe(0)
    expect(secondProcess.stderr() + secondProcess.stdout()).toBe('')
  })
})
