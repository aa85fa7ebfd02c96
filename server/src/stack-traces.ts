import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'

/*
 * Stack traces of the built server name the source files, as with `node --enable-source-maps`. With that option, Node 20 reads
 * all source maps at the start; this module reads the map of a file when a stack trace contains the file. Import it first.
 */

const sourceMaps = new Map<string, SourceMap | undefined>()

const readSourceMap = (url: string): SourceMap | undefined => {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8')) as SourceMap['payload'])
  } catch {
    return undefined
  }
}

const findSourceMap = (url: string): SourceMap | undefined => {
  if (!sourceMaps.has(url)) sourceMaps.set(url, readSourceMap(url))
  return sourceMaps.get(url)
}

const findSourcePosition = (position: string, url: string, line: string, column: string): string => {
  const entry = findSourceMap(url)?.findEntry(Number(line) - 1, Number(column) - 1)
  if (!entry || !('originalSource' in entry)) return position
  const { originalSource, originalLine, originalColumn } = entry
  return `${fileURLToPath(new URL(originalSource, url))}:${originalLine + 1}:${originalColumn + 1}`
}

/** Without a build, tsx translates the positions. */
const isBuilt = !import.meta.url.endsWith('.ts')

if (isBuilt) {
  Error.prepareStackTrace = (error, frames) => {
    const lines = frames.map(String).map((frame) => frame.replace(/(file:[^\s()]+):(\d+):(\d+)/, findSourcePosition))
    return [Error.prototype.toString.call(error), ...lines].join('\n    at ')
  }

  // Node would also print the line of the built file, which can have 100,000 characters.
  process.on('uncaughtException', (error) => {
    process.stderr.write(`Uncaught ${inspect(error)}\n`)
    process.exit(1)
  })
}
