import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { transformSync } from 'esbuild'
import { writeSite } from '../docs/site.mjs'
import { projectPath } from './paths.mjs'

const outputFolder = projectPath('console', 'dist')
const minBytes = 1024

/** @type {typeof import('vite')} Resolved from the console, which depends on it. */
const vite = await import(pathToFileURL(createRequire(projectPath('console', 'package.json')).resolve('vite')).href)

rmSync(outputFolder, { recursive: true, force: true })
await vite.build({
  root: projectPath('console'),
  logLevel: 'warn',
  build: { outDir: outputFolder, emptyOutDir: true },
})

// Vite copies files of public/ unchanged, with their comments.
const bootScript = join(outputFolder, 'boot.js')
writeFileSync(bootScript, transformSync(readFileSync(bootScript, 'utf8'), { minify: true }).code)

writeSite(join(outputFolder, 'docs'))

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Compresses a file once at the highest level, instead of for each visitor. @param {string} file */
const precompress = async (file) => {
  const body = readFileSync(file)
  if (body.length <= minBytes) return
  const [br, gz] = await Promise.all([
    compressBrotli(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
    compressGzip(body, { level: 9 }),
  ])
  writeFileSync(`${file}.br`, br)
  writeFileSync(`${file}.gz`, gz)
}

const files = readdirSync(outputFolder, { recursive: true, encoding: 'utf8' })
await Promise.all(
  files.filter((name) => /\.(js|css|html|svg|json)$/.test(name)).map((name) => precompress(join(outputFolder, name))),
)
