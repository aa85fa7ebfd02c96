import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { settingDefinitions } from '../../server/src/config/settings'
import { projectPath } from './paths.mjs'

const systemdAnalyze = '/usr/bin/systemd-analyze'
const folder = projectPath('deploy')
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

/** Variables of other programs: of Node, of the wrapper script, of the image of MariaDB, and of systemd and dpkg. */
const otherVariables = ['NODE_ENV', 'TRUNKLINE_ENV_FILE', 'DPKG_ROOT']

/** Names in places where a deployment sets or names a variable of the server. */
const namesIn = (text: string): string[] =>
  [
    // NAME=value, also in comments; NAME: value; `- name: NAME`; "index .Values.settings NAME"
    ...text.matchAll(/(?:^|[\s#"])([A-Z][A-Z\d]*(?:_[A-Z\d]+)+|PORT|HOST)(?==|: )/gm),
    ...text.matchAll(/- name: ([A-Z][A-Z_\d]+)$/gm),
    ...text.matchAll(/\.Values\.settings\.([A-Z][A-Z_\d]+)/g),
    ...text.matchAll(/list((?: "[A-Z_]+")+)/g),
  ].flatMap(([, names = '']) => names.match(/[A-Z][A-Z_\d]+/g) ?? [])

/** A template of Helm without its actions, which is YAML if the template is sound. */
const removeActions = (template: string) =>
  template
    .replace(/{{\/\*[\s\S]*?\*\/}}/g, '')
    .replace(/^\s*{{-?\s*(?:if|with|range|end|else|include)\b.*}}\s*$/gm, '')
    .replace(/ {{- (?:toYaml|include) [^}]*nindent \d+ }}/g, ' {}')
    .replace(/{{[^}]*}}/g, '0')

describe('the deployment files', () => {
  it.each(files.filter((file) => !/README|\.json$/.test(file)))('name only settings that exist: %s', (file) => {
    const names = namesIn(read(file)).filter((name) => !otherVariables.includes(name) && !name.startsWith('MARIADB_'))
    expect(names.filter((name) => !(name in settingDefinitions))).toEqual([])
  })

  it('name the settings in the forms that the check above finds', () => {
    expect(namesIn(read('trunkline.env'))).toContain('DATABASE_URL')
    expect(namesIn(read('docker/compose.mariadb.yaml'))).toContain('REDIS_URL')
    expect(namesIn(read('helm/trunkline/templates/statefulset.yaml'))).toEqual(
      expect.arrayContaining(['DATA_DIR', 'SHUTDOWN_DELAY']),
    )
    expect(namesIn(read('helm/trunkline/templates/_helpers.tpl'))).toContain('ENCRYPTION_SECRET')
  })

  it.each(files.filter((file) => /\.ya?ml$/.test(file)))('are valid YAML: %s', (file) => {
    const isTemplate = file.includes('templates/')
    for (const document of parseAllDocuments(isTemplate ? removeActions(read(file)) : read(file)))
      expect(document.errors).toEqual([])
  })

  it('use only values that the chart has', () => {
    const values = parseAllDocuments(read('helm/trunkline/values.yaml'))[0]!.toJS() as Record<string, unknown>
    const templates = files.filter((file) => file.includes('templates/'))
    const paths = templates.flatMap((file) => [...read(file).matchAll(/\.Values\.([a-z]\w*)(?:\.([a-z]\w*))?/g)])
    expect(paths.length).toBeGreaterThan(20)
    for (const [, section = '', name] of paths) {
      expect(Object.keys(values)).toContain(section)
      if (name) expect(Object.keys(values[section] as object)).toContain(name)
    }
  })

  it('show only metrics that the server has', () => {
    const sources = ['server/src/metrics/metrics.ts', 'server/src/composition/metric-readings.ts']
    const names = sources.flatMap((file) =>
      readFileSync(projectPath(file), 'utf8').match(/(?<=')[a-z]+_[a-z\d_]+(?=')/g),
    )
    const text = read('grafana/trunkline.json')
    const usedNames = [
      ...text.matchAll(/\b((?:trunkline|process|nodejs)_[a-z\d_]+?)(?:_bucket|_count|_sum)?(?=[{[, )])/g),
    ]
    expect(usedNames.length).toBeGreaterThan(20)
    expect(usedNames.map(([, name]) => name).filter((name) => !names.includes(name!))).toEqual([])
  })

  it('have a Dockerfile without errors or warnings', () => {
    expect(validate(read('docker/Dockerfile'))).toEqual([])
    expect(validate('FROM node\nRUNN true').length).toBeGreaterThan(0)
  })

  it.skipIf(!existsSync(systemdAnalyze))('have a unit that systemd accepts without a warning', () => {
    const unitFolder = mkdtempSync(join(tmpdir(), 'trunkline-unit-'))
    onTestFinished(() => rmSync(unitFolder, { recursive: true }))
    const file = join(unitFolder, 'trunkline.service')
    // The program is not installed here.
    writeFileSync(file, read('systemd/trunkline.service').replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'))
    const { status, stderr } = spawnSync(systemdAnalyze, ['verify', file], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it('give the version of the product', () => {
    const { version } = JSON.parse(readFileSync(projectPath('package.json'), 'utf8')) as { version: string }
    expect(read('helm/trunkline/Chart.yaml')).toContain(`appVersion: ${version}\n`)
    expect(readFileSync(projectPath('CHANGELOG.md'), 'utf8')).toContain(`## ${version}`)
    for (const workspace of ['server', 'console', 'contract'])
      expect(readFileSync(projectPath(workspace, 'package.json'), 'utf8')).toContain(`"version": "${version}"`)
  })
})
