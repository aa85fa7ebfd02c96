import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { FeatureFlags } from '@trunkline/contract/feature-flags'
import { isApiRequest } from './authenticate'
import { sendNotFound } from './error-handler'

const yearSeconds = 31_536_000

/** File names under `assets/` contain a content hash, so these never change. Other files are revalidated. */
const cacheControlFor = (path: string) =>
  path.includes('/assets/') ? `public, max-age=${yearSeconds}, immutable` : 'no-cache'

/** Serves the built console: precompressed files, `config.json`, the documentation at `/docs/`, and `index.html` for every URL outside the API. */
export const serveConsole = async (app: FastifyInstance, folder: string, features: FeatureFlags): Promise<void> => {
  app.get('/config.json', { schema: { hide: true } }, (_, reply) =>
    reply.header('cache-control', 'no-store').send(features),
  )
  if (!existsSync(join(folder, 'index.html'))) {
    app.setNotFoundHandler(sendNotFound)
    return
  }
  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    cacheControl: false,
    // The ETag is enough for revalidation, and no client needs ranges of a script.
    lastModified: false,
    acceptRanges: false,
    wildcard: false,
    index: false,
    setHeaders: (reply, path) => {
      reply.setHeader('cache-control', cacheControlFor(path))
      // The response depends on the encoding; proxies must not mix them up.
      reply.setHeader('vary', 'accept-encoding')
    },
  })
  const sendPage = (reply: FastifyReply) => reply.sendFile('index.html')
  if (existsSync(join(folder, 'docs', 'index.html'))) {
    // The pages link to each other by relative URLs, so they need the trailing slash.
    app.get('/docs/', { schema: { hide: true } }, ({ url }, reply) =>
      /^\/+docs(\?|$)/i.test(url) ? reply.redirect('/docs/') : reply.sendFile('docs/index.html'),
    )
  }
  app.get('/', { schema: { hide: true } }, (_, reply) => sendPage(reply))
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' && request.headers.accept?.includes('text/html')
    const isFile = /\.\w+$/.test(request.url.split('?')[0] ?? '')
    if (wantsPage && !isFile && !isApiRequest(request)) void sendPage(reply)
    else sendNotFound(request, reply)
  })
}

/** The version in the package.json of a folder. */
export const readVersion = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version
