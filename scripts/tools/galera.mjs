import { existsSync } from 'node:fs'
import { aptInstall } from './apt.mjs'
import { host } from './daemon.mjs'
import { installMariaDb } from './mariadb.mjs'

export const galeraLibrary = '/usr/lib/galera/libgalera_smm.so'
/** Copies the data to a new node. */
const rsyncPath = '/usr/bin/rsync'
export const haproxyProgram = { title: 'HAProxy', program: 'haproxy', aptPackage: 'haproxy' }

/** Installs MariaDB with Galera. Returns whether it is installed. */
export const installGalera = async () => {
  await installMariaDb()
  if (process.getuid?.() === 0) {
    if (!existsSync(galeraLibrary)) await aptInstall('galera-4')
    if (!existsSync(rsyncPath)) await aptInstall('rsync')
  }
  return existsSync(galeraLibrary) && existsSync(rsyncPath)
}

/**
 * Builds the configuration of a load balancer for the nodes of a cluster.
 * @param {number} port
 * @param {readonly number[]} nodePorts
 * @param {boolean} usesOneNode whether the others are used only if the first ones are away
 */
export const writeHaproxyConfig = (port, nodePorts, usesOneNode) => {
  const nodes = nodePorts.map((nodePort, index) => {
    const backup = usesOneNode && index > 0 ? ' backup' : ''
    return `  server node-${index} ${host}:${nodePort} check inter 300ms fall 2 rise 2 on-marked-down shutdown-sessions${
      index === 0 ? ' on-marked-up shutdown-backup-sessions' : ''
    }${backup}`
  })
  return `global
  maxconn 500
defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  retries 3
  option redispatch
listen galera
  bind ${host}:${port}
  balance roundrobin
${nodes.join('\n')}
`
}
