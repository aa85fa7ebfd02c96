import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listRuntimePackages } from './lockfile.mjs'
import { projectPath } from './paths.mjs'
import { runNpm } from './run.mjs'

/** @typedef {import('./lockfile.mjs').RuntimePackage} RuntimePackage */

/** Licenses that allow use and distribution, and do not apply to the code of the product itself. */
const permissiveLicenses = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
])

/**
 * Whether an SPDX expression requires only permissive licenses: all of those joined by AND, one of those joined by OR.
 * @param {string} expression
 * @returns {boolean}
 */
export const isPermissive = (expression) => {
  const text = expression.replace(/^\((.*)\)$/, '$1')
  if (text.includes(' OR ')) return text.split(' OR ').some(isPermissive)
  return text.split(' AND ').every((name) => permissiveLicenses.has(name))
}

/** Returns a message for each package whose license is missing or not permissive. @param {RuntimePackage[]} packages */
export const findForbiddenLicenses = (packages) =>
  packages
    .filter(({ license }) => !isPermissive(license))
    .map(({ name, version, license }) => `${name} ${version}: ${license || 'no license'}`)

/** Checks that every run-time dependency has a permissive license. */
export const checkLicenses = () => {
  const forbidden = findForbiddenLicenses(listRuntimePackages())
  for (const line of forbidden) console.log(`License not allowed: ${line}`)
  return forbidden.length === 0
}

/** The texts of the license files in a package's folder. @param {string} folder */
const readLicenseTexts = (folder) =>
  readdirSync(folder)
    .filter((name) => /^(licen[sc]e|notice|copying)/i.test(name) && !/\.[cm]?[jt]s$/.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())

/** The license texts of all installed run-time dependencies, which a distribution of the product must contain. */
export const formatNotices = () =>
  listRuntimePackages()
    .filter(({ path }) => existsSync(projectPath(path)))
    .map(({ path, name, version, license }) =>
      [`${name} ${version}`, `License: ${license}`, ...readLicenseTexts(projectPath(path))].join('\n\n'),
    )
    .join(`\n\n${'-'.repeat(80)}\n\n`)
    .concat('\n')

/**
 * The bill of materials of the run-time dependencies, as CycloneDX. The same dependencies give the same bytes: it has no
 * serial number and no time.
 * @returns {Promise<string>} JSON
 */
export const formatBillOfMaterials = async () => {
  const { code, output } = await runNpm(['sbom', '--sbom-format=cyclonedx'], { captureOutput: true })
  if (code !== 0) throw new Error(`npm sbom failed:\n${output.trim()}`)
  /** @type {{ serialNumber?: string, metadata: { timestamp?: string, component: { name: string } }, components: { 'bom-ref': string }[], dependencies: { ref: string, dependsOn: string[] }[] }} */
  const bill = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1))
  delete bill.serialNumber
  delete bill.metadata.timestamp
  // npm names the project after the folder that contains it.
  bill.metadata.component.name = 'trunkline'
  const names = new Set(listRuntimePackages().map(({ name, version }) => `${name}@${version}`))
  const isRuntime = (/** @type {string} */ reference) => names.has(reference.replace(/\|.*$/, ''))
  return `${JSON.stringify(
    {
      ...bill,
      components: bill.components.filter((component) => isRuntime(component['bom-ref'])),
      dependencies: bill.dependencies
        .filter(({ ref }) => isRuntime(ref))
        .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isRuntime) })),
    },
    null,
    2,
  )}\n`
}
