import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { aptInstall } from './apt.mjs'
import { at, cacheFolder } from './paths.mjs'
import { run, runNode, runNpm } from './run.mjs'

const installedPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const packed = { name: '@sparticuz/chromium', version: '147.0.0', folder: join(cacheFolder, 'chromium') }

/**
 * Returns whether a browser exists and starts; a snap stub or a missing library shows only on start.
 * @param {string} path
 */
const starts = async (path) =>
  existsSync(path) && (await run(path, ['--version', '--no-sandbox'], { quiet: true })).code === 0

/** The path of Playwright's own browser, whether it is installed or not. */
const playwrightPath = async () => {
  const { chromium } = await import('@playwright/test')
  return chromium.executablePath()
}

/** For Debian and Ubuntu, as root. @returns {Promise<string | null>} */
const fromApt = async () => {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null
  console.log('Installing Chromium with apt-get…')
  if (!(await aptInstall('chromium'))) return null
  return (await starts('/usr/bin/chromium')) ? '/usr/bin/chromium' : null
}

/** @returns {Promise<string | null>} */
const fromPlaywright = async () => {
  console.log("Fetching Playwright's Chromium…")
  const { code } = await runNode([at('node_modules', '@playwright', 'test', 'cli.js'), 'install', 'chromium'], {
    quiet: true,
  })
  const path = await playwrightPath()
  return code === 0 && (await starts(path)) ? path : null
}

/** Unpacks the browser into its own folder, with the libraries that a minimal machine lacks, and prints its path. */
const unpack = `import('${packed.name}').then(async ({ default: chromium }) => console.log(await chromium.executablePath()))`

/**
 * A Chromium packed as an npm package, for machines that can reach only the registry.
 * @returns {Promise<string | null>}
 */
const fromRegistry = async () => {
  const { folder, name, version } = packed
  const unpacked = join(folder, 'chromium')
  const libraries = [join(folder, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH]
  process.env.LD_LIBRARY_PATH = libraries.filter(Boolean).join(':')
  if (!(await starts(unpacked))) {
    rmSync(folder, { recursive: true, force: true })
    console.log('Fetching Chromium from the npm registry…')
    const plain = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund']
    const { code } = await runNpm(['install', '--prefix', folder, ...plain, `${name}@${version}`], { quiet: true })
    if (code !== 0) return null
    // The package unpacks its libraries only if these variables indicate such a minimal machine.
    const env = { TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' }
    await runNode(['-e', unpack], { quiet: true, cwd: folder, env })
  }
  return (await starts(unpacked)) ? unpacked : null
}

/**
 * Finds or installs a Chromium.
 * @returns {Promise<string | null>} its path
 */
export const findChromium = async () => {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (await starts(named)) return named
    console.error(`CHROMIUM_PATH names ${named}, which does not start.`)
    return null
  }
  for (const path of [...installedPaths, await playwrightPath()]) if (await starts(path)) return path
  for (const source of [fromApt, fromPlaywright, fromRegistry]) {
    const path = await source()
    if (path) return path
  }
  return null
}
