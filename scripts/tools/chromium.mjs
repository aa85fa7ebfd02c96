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

/** Whether a browser is there and starts: a snap stub or a missing library shows only then. @param {string} path */
const starts = async (path) =>
  existsSync(path) && (await run(path, ['--version', '--no-sandbox'], { quiet: true })).code === 0

/** The browser that Playwright manages; the path is known also when nothing is there. */
const playwrightPath = async () => {
  const { chromium } = await import('@playwright/test')
  return chromium.executablePath()
}

/** Debian and Ubuntu, as root. @returns {Promise<string | null>} */
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

/** Unpacks the browser into its own folder, with the libraries that a bare machine lacks, and prints where it is. */
const unpack = `import('${packed.name}').then(async ({ default: chromium }) => console.log(await chromium.executablePath()))`

/** A Chromium packed as an npm package, for machines that reach no other source. @returns {Promise<string | null>} */
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
    // The package brings its libraries only where it believes itself to be on a bare machine of that kind.
    const env = { TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' }
    await runNode(['-e', unpack], { quiet: true, cwd: folder, env })
  }
  return (await starts(unpacked)) ? unpacked : null
}

/**
 * Finds a Chromium, or gets one.
 * @returns {Promise<string | null>} where it is
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
