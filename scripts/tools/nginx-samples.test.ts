import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { selfSignedCertificate } from '../../server/test/doubles/self-signed'
import { findFreePort, host } from './daemon.mjs'
import { projectPath } from './paths.mjs'

/** The path of nginx. */
const { TEST_NGINX: nginx } = process.env

const waitUntilListening = async (port: number, deadlineMs = Date.now() + 20_000) => {
  const isListening = await new Promise<boolean>((resolve) => {
    const socket = connect(port, host, () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
  if (isListening) return
  if (Date.now() > deadlineMs) throw new Error(`nginx does not listen on port ${port}`)
  await new Promise((resolve) => setTimeout(resolve, 50))
  await waitUntilListening(port, deadlineMs)
}

/**
 * Starts nginx with a sample, on free ports of loopback and with a certificate of its own.
 * @param replacements further changes of the sample: texts and what replaces them
 */
const startSample = async (name: string, replacements: (folder: string) => Record<string, string>) => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-nginx-'))
  const [port, httpPort] = [await findFreePort(), await findFreePort()]
  const { cert, key } = selfSignedCertificate
  writeFileSync(join(folder, 'fullchain.pem'), cert)
  writeFileSync(join(folder, 'privkey.pem'), key)
  let sample = readFileSync(projectPath('deploy', 'nginx', name), 'utf8')
    .replaceAll(/^\s*listen \[::\].*\n/gm, '')
    .replaceAll('listen 443 ', `listen ${host}:${port} `)
    .replaceAll('listen 80;', `listen ${host}:${httpPort};`)
    .replaceAll(/\/etc\/ssl\/[\w.]+/g, folder)
  for (const [text, replacement] of Object.entries(replacements(folder))) {
    expect(sample).toContain(text)
    sample = sample.replaceAll(text, replacement)
  }
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (module) => `${module}_temp_path ${folder}/${module};`,
  )
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
access_log off;
types { text/html html; text/javascript js; application/json json; }
${temporaryPaths.join('\n')}
${sample}
}
`,
  )
  const child = spawn(nginx!, ['-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await exited
    rmSync(folder, { recursive: true })
  })
  await Promise.race([
    waitUntilListening(port),
    exited.then(() => Promise.reject(new Error(readFileSync(join(folder, 'error.log'), 'utf8')))),
  ])
  return { folder, port, httpPort }
}

interface Answer {
  status: number | undefined
  headers: NodeJS.Dict<string | string[]>
  body: string
}

/** Sends a request over TLS without checking the certificate. */
const get = (port: number, path: string, headers: Record<string, string> = {}) =>
  new Promise<Answer>((resolve, reject) => {
    const sent = request({ host, port, path, headers, rejectUnauthorized: false, agent: false }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => (body += text))
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }))
    })
    sent.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve({ status: response.statusCode, headers: response.headers, body: '' })
    })
    sent.once('error', reject).end()
  })

/** A server that returns the headers of each request, and accepts every upgrade. */
const startUpstream = async (): Promise<number> => {
  const server = createServer(({ headers }, response) => response.end(JSON.stringify(headers)))
  server.on('upgrade', (_, socket) =>
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'),
  )
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(() => void server.close())
  return (server.address() as { port: number }).port
}

describe.skipIf(!nginx)('the samples for nginx', () => {
  it('forward requests, with the address and scheme of the client, and WebSockets', async () => {
    const upstreamPort = await startUpstream()
    const { port, httpPort } = await startSample('trunkline.conf', () => ({
      'server 127.0.0.1:3000;': `server ${host}:${upstreamPort};`,
    }))
    const { status, body } = await get(port, '/v1/Users/me', { host: 'voice.example.com' })
    expect(status).toBe(200)
    expect(JSON.parse(body)).toMatchObject({
      host: 'voice.example.com',
      'x-forwarded-for': host,
      'x-forwarded-proto': 'https',
    })
    const upgrade = await get(port, '/record/someone', { connection: 'upgrade', upgrade: 'websocket' })
    expect(upgrade.status).toBe(101)
    const redirect = await fetch(`http://${host}:${httpPort}/internal/accounts`, { redirect: 'manual' })
    expect(redirect.status).toBe(301)
    expect(redirect.headers.get('location')).toBe(`https://${host}/internal/accounts`)
  })

  it('serve the console: its files, one page for all screens, and no page for a missing file', async () => {
    const { port } = await startSample('console.conf', (folder) => {
      const site = join(folder, 'site')
      mkdirSync(join(site, 'assets'), { recursive: true })
      writeFileSync(join(site, 'index.html'), '<title>Trunkline</title>')
      writeFileSync(join(site, 'config.json'), '{}')
      writeFileSync(join(site, 'assets', 'start-1.js'), 'start()')
      return { '/var/www/trunkline': site }
    })
    const screen = await get(port, '/internal/accounts/some-sid/edit')
    expect(screen).toMatchObject({ status: 200, body: '<title>Trunkline</title>' })
    expect(screen.headers).toMatchObject({ 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
    expect(screen.headers['content-security-policy']).toContain("default-src 'self'")
    const code = await get(port, '/assets/start-1.js')
    expect(code).toMatchObject({ status: 200, body: 'start()' })
    expect(code.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript',
    })
    expect(await get(port, '/config.json')).toMatchObject({ status: 200, body: '{}' })
    expect((await get(port, '/assets/start-0.js')).status).toBe(404)
  })
})
