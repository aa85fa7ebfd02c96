import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { writeSite } from '../docs/site.mjs'
import { at } from './paths.mjs'

const out = at('console', 'dist')
const worthIt = 1024

/** @type {typeof import('vite')} Resolved from the console, which depends on it. */
const vite = await import(pathToFileURL(createRequire(at('console', 'package.json')).resolve('vite')).href)

rmSync(out, { recursive: true, force: true })
await vite.build({
  root: at('console'),
  logLevel: 'warn',
  build: { outDir: out, emptyOutDir: true },
})

writeSite(join(out, 'docs'))

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Compresses a file once at the highest level, instead of for each visitor. @param {string} file */
const precompress = async (file) => {
  const body = readFileSync(file)
  if (body.length <= worthIt) return
  const [br, gz] = await Promise.all([
    brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }),
    zip(body, { level: 9 }),
  ])
  writeFileSync(`${file}.br`, br)
  writeFileSync(`${file}.gz`, gz)
}

const files = readdirSync(out, { recursive: true, encoding: 'utf8' })
await Promise.all(
  files.filter((name) => /\.(js|css|html|svg|json)$/.test(name)).map((name) => precompress(join(out, name))),
)
