import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Features } from '@trunkline/contract/feature-flags'
import { isApiRequest } from './authenticate'
import { sendNotFound } from './errors'

const yearSeconds = 31_536_000

/** Names under `assets/` carry a hash of their content, so they may be kept for ever; everything else is asked for again. */
const cacheFor = (path: string) =>
  path.includes('/assets/') ? `public, max-age=${yearSeconds}, immutable` : 'no-cache'

/** Serves the built console: its files precompressed, its settings, and its page for every address that is no call. */
export const serveConsole = async (app: FastifyInstance, folder: string, features: Features): Promise<void> => {
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
    // An entity tag is enough to ask again, and nobody asks for half a script.
    lastModified: false,
    acceptRanges: false,
    wildcard: false,
    index: false,
    setHeaders: (reply, path) => {
      reply.setHeader('cache-control', cacheFor(path))
      // The same address has a form for each encoding; a cache between must not mix them up.
      reply.setHeader('vary', 'accept-encoding')
    },
  })
  const sendPage = (reply: FastifyReply) => reply.sendFile('index.html')
  app.get('/', { schema: { hide: true } }, (_, reply) => sendPage(reply))
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' && request.headers.accept?.includes('text/html')
    const isFile = /\.\w+$/.test(request.url.split('?')[0] ?? '')
    if (wantsPage && !isFile && !isApiRequest(request)) void sendPage(reply)
    else sendNotFound(request, reply)
  })
}

/** The version of the product, from its own package. */
export const readVersion = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version
