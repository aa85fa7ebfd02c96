import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '../../server/src/config/config'
import { settingGroups } from '../../server/src/config/descriptions'
import { settingDefinitions } from '../../server/src/config/settings'
import { projectPath } from '../tools/paths.mjs'

const folder = mkdtempSync(join(tmpdir(), 'trunkline-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

const settingNames = Object.keys(settingDefinitions) as (keyof typeof settingDefinitions)[]

/** Values of all formats that settings have. */
const values = [
  ...['true', 'false', '20', '21', '9999', 'fatal', 'error', 'text', 'a longer text of 30 characters', 'eu-west-1'],
  ...['us-east-1', 'http://one.example.com', 'https://two.example.com', 'redis://one:1', 'redis://two:2'],
  ...['smtp://one:1', 'smtp://two:2', 'one@example.com', 'two@example.com', folder, join(folder, 'other')],
  ...['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'],
  ...['name=value', 'traceidratio', '0.5'],
]

/** An environment in which every setting has an effect, except `HEP_…` or `HOMER_…`, which exclude each other. */
const baseEnvironment = {
  ...{ DATA_DIR: folder, JWT_SECRET: 'a secret of many characters', ENCRYPTION_SECRET: 'another secret of many' },
  ...{ SMTP_URL: 'smtp://localhost', MAIL_FROM: 'no-reply@example.com', AWS_REGION: 'eu-central-1' },
  ...{ ENABLE_HOSTED_SYSTEM: 'true', TERMS_URL: 'https://example.com/t', PRIVACY_URL: 'https://example.com/p' },
  ...{ GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret', GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' },
  ...{ STRIPE_API_KEY: 'key', STRIPE_WEBHOOK_SECRET: 'secret', STRIPE_PUBLISHABLE_KEY: 'key' },
  ...{ DNS_MADE_EASY_API_KEY: 'key', DNS_MADE_EASY_API_SECRET: 'secret' },
  ...{ RECORDING_STREAM_USERNAME: 'user', RECORDING_STREAM_PASSWORD: 'password' },
  ...{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' },
}
const environments = [
  { ...baseEnvironment, HEP_PORT: '9060', METRICS_PORT: '9464' },
  {
    ...baseEnvironment,
    ...{ HOMER_BASE_URL: 'http://localhost', HOMER_USERNAME: 'user', HOMER_PASSWORD: 'password' },
  },
]

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The paths of the values that differ, as lists of names. */
const listDifferences = (first: unknown, second: unknown, path: string[] = []): string[][] => {
  if (!isPlainObject(first) || !isPlainObject(second))
    return JSON.stringify(first) === JSON.stringify(second) ? [] : [path]
  return [...new Set([...Object.keys(first), ...Object.keys(second)])].flatMap((name) =>
    listDifferences(first[name], second[name], [...path, name]),
  )
}

/** The configuration without its warnings, which are no effect. */
const readEffects = (environment: Record<string, string>) => {
  const { warnings: _, ...config } = readConfig(environment)
  return config
}

const bases = environments.map((environment) => ({ environment, effects: readEffects(environment) }))

/** Whether a setting changes a part of the configuration whose names are all used. */
const hasEffect = (name: keyof typeof settingDefinitions, usedNames: ReadonlySet<string>): boolean => {
  const validValues = values.filter((value) => settingDefinitions[name].rule.safeParse(value).success)
  return bases.some(({ environment, effects }) =>
    validValues.some((value) => {
      try {
        const changedEffects = readEffects({ ...environment, [name]: value })
        return listDifferences(effects, changedEffects).some((path) =>
          path.every((part) => part.split('.').every((word) => usedNames.has(word))),
        )
      } catch (error) {
        // The value does not fit the other settings.
        if (error instanceof ConfigError) return false
        throw error
      }
    }),
  )
}

const listSources = (root: string): string[] =>
  readdirSync(projectPath(root), { recursive: true, encoding: 'utf8' })
    .map((file) => join(root, file))
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !/\.test\.tsx?$/.test(file))

const readNames = (files: string[]) =>
  new Set(files.flatMap((file) => readFileSync(projectPath(file), 'utf8').match(/\b[A-Za-z_]\w*\b/g) ?? []))

describe('the documented settings', () => {
  it('have an effect outside server/src/config', () => {
    const usedNames = readNames(
      ['server/src', 'console/src', 'contract/src']
        .flatMap(listSources)
        .filter((file) => !/server.src.config|contract.src.feature-flags/.test(file)),
    )
    const unused = settingNames.filter((name) => !hasEffect(name, usedNames))
    // A value that this server does not support only causes a warning.
    expect(unused).toEqual(['OTEL_EXPORTER_OTLP_PROTOCOL'])
  })

  it('include no alias that is not read', () => {
    const readVariables = readNames(['server/src/config/config.ts', 'server/src/config/redis.ts'])
    const combined = settingGroups.flatMap(({ settings }) =>
      Object.values(settings).flatMap((entry) => (typeof entry === 'object' ? (entry.combinedFrom ?? []) : [])),
    )
    expect(combined.length).toBeGreaterThan(0)
    expect(combined.filter((name) => !readVariables.has(name))).toEqual([])
  })

  it('are the only variables that pages name, besides those of scripts and of other programs', () => {
    const readByOthers = ['NODE_EXTRA_CA_CERTS', 'MARIADB_PASSWORD']
    const variables = readNames(
      ['server/src/config', 'scripts', 'bench']
        .flatMap(listSources)
        .filter((file) => !file.endsWith('descriptions.ts')),
    )
    const pages = [
      'README.md',
      'CONTRIBUTING.md',
      ...readdirSync(projectPath('docs'))
        .filter((file) => file.endsWith('.md'))
        .map((file) => join('docs', file)),
    ]
    const unknown = pages.flatMap((page) =>
      [...readFileSync(projectPath(page), 'utf8').matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=[^`]*)?`/g)]
        .map(([, name = '']) => name)
        .filter((name) => !variables.has(name) && !readByOthers.includes(name))
        .map((name) => `${page}: ${name}`),
    )
    expect(unknown).toEqual([])
  })
})

describe('the operations page', () => {
  it('names every security event', () => {
    const source = readFileSync(projectPath('server/src/http/security-log.ts'), 'utf8')
    const union = /type SecurityEvent =([^/]*)/.exec(source)?.[1] ?? ''
    const events = [...union.matchAll(/\| '(\w+)'/g)].map(([, event]) => event)
    const page = readFileSync(projectPath('docs/operations.md'), 'utf8')
    expect(events).toContain('sign_in')
    expect(events.filter((event) => !page.includes(`\`${event}\``))).toEqual([])
  })
})
