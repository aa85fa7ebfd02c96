import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDaemon, findFreePort, host } from './daemon.mjs'

/** @param {string} folder @param {number} http @param {number} rpc */
const formatConfig = (folder, http, rpc) => `
reporting-disabled = true
bind-address = "${host}:${rpc}"
[meta]
  dir = "${folder}/meta"
[data]
  dir = "${folder}/data"
  wal-dir = "${folder}/wal"
[http]
  bind-address = "${host}:${http}"
  log-enabled = false
[monitor]
  store-enabled = false
`

const url = (/** @type {number} */ port) => `http://${host}:${port}`

/** Starts an empty InfluxDB 1.x for the tests; its data is discarded. Undefined if it cannot be installed. */
export const ensureInflux = () =>
  ensureDaemon({
    title: 'InfluxDB',
    urlVariable: 'TEST_INFLUX_URL',
    program: 'influxd',
    aptPackage: 'influxdb',
    startTimeoutSeconds: 30,
    url,
    buildArgs: async (folder, port) => {
      const file = join(folder, 'influxdb.conf')
      writeFileSync(file, formatConfig(folder, port, await findFreePort()))
      return ['-config', file]
    },
    isReady: (port) =>
      fetch(`${url(port)}/ping`).then(
        ({ status }) => status === 204,
        () => false,
      ),
  })
