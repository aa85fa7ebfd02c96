import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const consoleFolder = fileURLToPath(new URL('../../console/dist', import.meta.url))
const nginxConfig = fileURLToPath(new URL('../../deploy/nginx/console.conf', import.meta.url))

const contentTypes: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

const isFile = (path: string) => existsSync(path) && statSync(path).isFile()

/** The content security policy of the nginx sample, for an API on this origin. */
const readContentPolicy = (apiOrigin: string) => {
  const policy = /Content-Security-Policy "([^"]+)"/.exec(readFileSync(nginxConfig, 'utf8'))?.[1]
  if (!policy?.includes('https://api.example.com')) throw new Error(`${nginxConfig} has no policy for the sample API`)
  return policy.replace('https://api.example.com', apiOrigin)
}

/**
 * Serves the built console like any web server: files, and `index.html` for all other paths. These rules
 * and the policy of `deploy/nginx/console.conf`. `config.json` has the settings.
 */
export const startStaticWebServer = async (settings: { apiBaseUrl: string }) => {
  const policy = readContentPolicy(new URL(settings.apiBaseUrl).origin)
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost')
    response.setHeader('content-security-policy', policy)
    if (pathname === '/config.json') {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(settings))
      return
    }
    const requested = join(consoleFolder, normalize(decodeURIComponent(pathname)))
    const file = isFile(requested) ? requested : join(consoleFolder, 'index.html')
    response.setHeader('content-type', contentTypes[extname(file)] ?? 'application/octet-stream')
    createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
