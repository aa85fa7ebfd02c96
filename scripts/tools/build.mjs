import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { deleteStamp, computeFingerprint, readStamp, writeStamp } from './fingerprint.mjs'
import { projectPath, cacheFolder } from './paths.mjs'
import { runNode } from './run.mjs'

/**
 * @typedef {object} BuildPart
 * @property {string} name
 * @property {string} script the script that builds it
 * @property {string} stamp
 * @property {string} output a file that exists if the part is built
 * @property {string[]} inputs
 */

/** @type {Record<'server' | 'console', BuildPart>} */
export const buildParts = {
  server: {
    name: 'server',
    script: 'scripts/tools/bundle-server.mjs',
    stamp: join(cacheFolder, 'server.stamp'),
    output: projectPath('server', 'dist', 'main.js'),
    inputs: [
      'server/src',
      'server/package.json',
      'scripts/tools/bundle-server.mjs',
      'scripts/tools/server-bundle-options.mjs',
    ],
  },
  console: {
    name: 'console',
    script: 'scripts/tools/bundle-console.mjs',
    stamp: join(cacheFolder, 'console.stamp'),
    output: projectPath('console', 'dist', 'index.html'),
    inputs: [
      'console/src',
      'console/public',
      'console/index.html',
      'console/vite.config.ts',
      'console/postcss.config.cjs',
      'console/package.json',
      'console/tsconfig.json',
      'scripts/tools/bundle-console.mjs',
      'scripts/tools/console-chunks.mjs',
      'scripts/tools/preload-modules.mjs',
      'scripts/tools/omit-route-summaries.mjs',
      'scripts/tools/compact-icons.mjs',
      'scripts/tools/compile-eagerly.mjs',
      // the documentation pages at /docs
      'docs',
      'README.md',
      'scripts/docs/site.mjs',
      'scripts/docs/site.css',
    ],
  },
}

const sharedInputs = ['contract/src', 'contract/package.json', 'package-lock.json', 'tsconfig.base.json']

/** @param {BuildPart} part @param {boolean} force */
const buildPart = async (part, force) => {
  const hash = computeFingerprint([...part.inputs, ...sharedInputs])
  if (!force && readStamp(part.stamp) === hash && existsSync(part.output)) return
  deleteStamp(part.stamp)
  console.log(`Building the ${part.name}…`)
  // A separate process frees the bundler's memory before the server starts.
  const { code, output } = await runNode([projectPath(part.script)], {
    captureOutput: true,
    env: { NODE_ENV: 'production' },
  })
  if (code !== 0) {
    console.error(output.trim())
    throw new Error(`The ${part.name} could not be built, see above.`)
  }
  writeStamp(part.stamp, hash)
}

/** Builds the parts that changed since the last build. @param {{ force?: boolean }} [options] */
export const ensureBuilt = async ({ force = false } = {}) => {
  await buildPart(buildParts.server, force)
  await buildPart(buildParts.console, force)
}

/** Deletes all build results. */
export const clean = () => {
  for (const path of ['server/dist', 'console/dist']) rmSync(projectPath(path), { recursive: true, force: true })
  for (const part of Object.values(buildParts)) deleteStamp(part.stamp)
}
