import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { defaultFeatureFlags, type FeatureFlags } from '@trunkline/contract/feature-flags'
import { isApiRequest } from './authenticate'
import { sendNotFound } from './error-handler'

const yearSeconds = 31_536_000

const daySeconds = 86_400

/**
 * File names under `assets/` contain a content hash, so these never change. Browsers request the icon at every
 * navigation inside the console unless it is cached. Other files are revalidated.
 */
const cacheControlFor = (path: string) => {
  if (path.includes('/assets/')) return `public, max-age=${yearSeconds}, immutable`
  return path.endsWith('/favicon.svg') ? `public, max-age=${daySeconds}` : 'no-cache'
}

/** The settings that differ from the defaults, which the console knows. */
const omitDefaults = (settings: FeatureFlags): Partial<FeatureFlags> =>
  Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaultFeatureFlags[name as keyof FeatureFlags]),
    ),
  )

/**
 * Inserts the settings into the page as a data block, so that the console can render without another request. `<` is
 * escaped because a setting that contains `</script>` would end the block. Precedes the scripts, which read it.
 */
const insertSettings = (page: string, settings: FeatureFlags): string => {
  const json = JSON.stringify(omitDefaults(settings)).replaceAll('<', '\\u003c')
  return page.replace('<script', () => `<script id="settings" type="application/json">${json}</script>\n    <script`)
}

/**
 * Serves the built console: precompressed files, `config.json`, the documentation at `/docs/`, and `index.html` with the
 * settings inside for every URL outside the API.
 */
export const serveConsole = async (
  app: FastifyInstance,
  folder: string,
  readFeatures: () => Promise<FeatureFlags>,
): Promise<void> => {
  app.get('/config.json', { schema: { hide: true } }, async (_, reply) =>
    reply.header('cache-control', 'no-store').send(await readFeatures()),
  )
  const pagePath = join(folder, 'index.html')
  if (!existsSync(pagePath)) {
    app.setNotFoundHandler(sendNotFound)
    return
  }
  const page = readFileSync(pagePath, 'utf8')
  await app.register(fastifyStatic, {
    root: folder,
    // Its own routes, one per file or one for every URL, slow down the start or send API requests to the disk.
    serve: false,
    preCompressed: true,
    cacheControl: false,
    // The ETag is enough for revalidation, and no client needs ranges of a script.
    lastModified: false,
    acceptRanges: false,
    index: false,
    setHeaders: (reply, path) => {
      reply.setHeader('cache-control', cacheControlFor(path))
      // The response depends on the encoding; proxies must not mix them up.
      reply.setHeader('vary', 'accept-encoding')
    },
  })
  let files: Set<string> | undefined
  const sendKnownFile = (reply: FastifyReply, path: string) => {
    // At the first request, because reading all folders would delay the start.
    files ??= new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    return files.has(path) ? reply.sendFile(path) : reply.callNotFound()
  }
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory())
      app.get<{ Params: { '*': string } }>(`/${entry.name}/*`, { schema: { hide: true } }, ({ params }, reply) =>
        sendKnownFile(reply, `${entry.name}/${params['*']}`),
      )
    else app.get(`/${entry.name}`, { schema: { hide: true } }, (_, reply) => sendKnownFile(reply, entry.name))
  }
  const sendPage = async (reply: FastifyReply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(insertSettings(page, await readFeatures()))
  if (existsSync(join(folder, 'docs', 'index.html'))) {
    // The pages link to each other by relative URLs, so they need the trailing slash.
    app.get('/docs/', { schema: { hide: true } }, ({ url }, reply) =>
      /^\/+docs(\?|$)/i.test(url) ? reply.redirect('/docs/') : reply.sendFile('docs/index.html'),
    )
  }
  app.get('/', { schema: { hide: true } }, (_, reply) => sendPage(reply))
  // not async: Fastify would respond again once its promise resolves without a value
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' && request.headers.accept?.includes('text/html')
    const [path = ''] = request.url.split('?')
    // Inside the console, the URL of a call ends with a time, such as `…:51.481Z`.
    const isFile = /\.\w+$/.test(path) && !path.startsWith('/internal/')
    if (wantsPage && !isFile && !isApiRequest(request)) return sendPage(reply)
    return sendNotFound(request, reply)
  })
}

/** The version in the package.json of a folder. */
export const readVersion = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version
