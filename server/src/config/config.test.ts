import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { ConfigError, readConfig } from './config'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trunkline-config-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const secrets = { JWT_SECRET: 'a secret', ENCRYPTION_SECRET: 'b' }
const config = (environment: Record<string, string> = {}) =>
  readConfig({ DATA_DIR: folder, ...secrets, ...environment })

describe('settings', () => {
  it('have defaults', () => {
    expect(config()).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      database: { url: join(folder, 'trunkline.sqlite'), connections: 10 },
      tokenMinutes: 60,
      lockout: { attempts: 6, seconds: 1800 },
      quotas: false,
      adminCarrier: false,
      trustProxy: 0,
      features: defaultFeatureFlags,
    })
    expect(config()).not.toHaveProperty('apiBaseUrl')
  })

  it.each<[string, string, (config: ReturnType<typeof readConfig>) => unknown, unknown]>([
    ['HTTP_PORT', '8080', ({ port }) => port, 8080],
    ['JAMBONES_MYSQL_CONNECTION_LIMIT', '3', ({ database }) => database.connections, 3],
    ['JAMBONES_ADMIN_INITIAL_PASSWORD', 'x', ({ initialAdmin }) => initialAdmin.password, 'x'],
    ['JAMBONES_API_VERSION', 'v2', ({ platform }) => platform.apiVersion, 'v2'],
    ['JAMBONES_LOGLEVEL', 'debug', ({ logLevel }) => logLevel, 'debug'],
    ['JAMBONES_TRUST_PROXY', '2', ({ trustProxy }) => trustProxy, 2],
    ['RATE_LIMIT_MAX_PER_WINDOW', '7', ({ rateLimit }) => rateLimit?.max, 7],
    ['RATE_LIMIT_WINDOWS_MINS', '2', ({ rateLimit }) => rateLimit?.minutes, 2],
    ['DISABLE_RATE_LIMITS', '1', ({ rateLimit }) => rateLimit, null],
    ['APPLY_JAMBONZ_DB_LIMITS', '1', ({ quotas }) => quotas, true],
    ['JAMBONES_ADMIN_CARRIER', '1', ({ adminCarrier }) => adminCarrier, true],
    ['VITE_ADMIN_CARRIER', '1', ({ features }) => features.adminCarrier, true],
    ['JAMBONZ_MIN_GATEWAY_NETMASK', '24', ({ minimumNetmask }) => minimumNetmask, 24],
    ['LEGACY_CRYPTO', 'anything', ({ secrets: { legacyCrypto } }) => legacyCrypto, true],
    // Accepted, although the hosted edition does not exist yet.
    ['JAMBONES_HOSTING', 'true', ({ features }) => features.hosted, false],
    ['VITE_APP_ENABLE_HOSTED_SYSTEM', 'true', ({ features }) => features.hosted, false],
    ['VITE_APP_LCR_DISABLED', 'true', ({ features }) => features.leastCostRouting, false],
    ['VITE_APP_DISABLE_DEFAULT_TRUNK_ROUTING', 'true', ({ features }) => features.defaultTrunkRouting, false],
    ['VITE_APP_JAEGER_TRACING_DISABLED', 'true', ({ features }) => features.tracing, false],
    ['VITE_DISABLE_CUSTOM_SPEECH', 'true', ({ features }) => features.customSpeech, false],
    ['VITE_APP_DISABLE_ADDITIONAL_SPEECH_VENDORS', 'true', ({ features }) => features.additionalSpeech, false],
    ['VITE_APP_ALERT_POLL_INTERVAL', '0', ({ features }) => features.alertPollSeconds, 0],
    ['DISABLE_CALL_RECORDING', 'yes', ({ features }) => features.callRecording, false],
    ['VITE_APP_ENABLE_ACCOUNT_LIMITS_ALL', 'true', ({ features }) => features.allLimits, true],
    // Has no effect without mail.
    ['VITE_APP_ENABLE_FORGOT_PASSWORD', 'true', ({ features }) => features.forgotPassword, false],
    ['JAMBONZ_BASE_URL', 'https://voice.example.com/', ({ publicUrl }) => publicUrl, 'https://voice.example.com'],
    ['HOST', '0.0.0.0', ({ publicUrl }) => publicUrl, 'http://localhost:3000'],
    ['HOST', '::1', ({ publicUrl }) => publicUrl, 'http://[::1]:3000'],
    ['GITHUB_CLIENT_ID', 'id', ({ features }) => features.githubClientId, 'id'],
    ['TERMS_URL', 'https://example.com/terms', ({ features }) => features.termsUrl, 'https://example.com/terms'],
    ['DATABASE_URL', 'sqlite:./x.db', ({ database }) => database.url, 'file:./x.db'],
    ['DATABASE_URL', 'x.db', ({ database }) => database.url, 'x.db'],
    ['DATABASE_URL', 'mysql://u:p%40@h/n', ({ database }) => database.url, 'mysql://u:p%40@h/n'],
    ['PORT', '', ({ port }) => port, 3000],
  ])('%s=%s is understood', (name, value, expectedOwner, expected) => {
    expect(expectedOwner(config({ [name]: value }))).toEqual(expected)
  })

  it('enable password resets as soon as mail can be sent, unless disabled', () => {
    const mail = { SMTP_URL: 'smtp://u:p@mail.example.com:587', MAIL_FROM: 'Trunkline <no-reply@example.com>' }
    expect(config(mail)).toMatchObject({
      mail: { url: mail.SMTP_URL, from: mail.MAIL_FROM },
      publicUrl: 'http://127.0.0.1:3000',
      features: { forgotPassword: true },
    })
    expect(config({ ...mail, ENABLE_FORGOT_PASSWORD: 'false' }).features.forgotPassword).toBe(false)
    expect(() => config({ SMTP_URL: mail.SMTP_URL })).toThrow('MAIL_FROM is required together with SMTP_URL.')
    expect(config()).not.toHaveProperty('mail')
    // Another API sends its own mail, and only its operator knows whether it can.
    const API_BASE_URL = 'https://example.com/v1'
    expect(config({ API_BASE_URL }).features.forgotPassword).toBe(false)
    expect(config({ API_BASE_URL, ENABLE_FORGOT_PASSWORD: 'true' }).features.forgotPassword).toBe(true)
  })

  it('prefer the name of a setting to its aliases', () => {
    expect(config({ PORT: '1', HTTP_PORT: '2' }).port).toBe(1)
  })

  it('have one URL for all feature servers in Kubernetes, with the named or the default port', () => {
    const inKubernetes = { K8S: 'true', K8S_FEATURE_SERVER_SERVICE_NAME: 'feature-server' }
    expect(config(inKubernetes).platform.callServer).toBe('http://feature-server:3000')
    expect(config({ ...inKubernetes, K8S_FEATURE_SERVER_SERVICE_PORT: '3300' }).platform.callServer).toBe(
      'http://feature-server:3300',
    )
    expect(config({ ...inKubernetes, K8S: '' }).platform).toEqual({ cluster: 'default', apiVersion: 'v1' })
  })

  it('enable system logs if a region is set, with a default log group', () => {
    const AWS_REGION = 'eu-west-1'
    expect(config({})).not.toHaveProperty('awsRegion')
    expect(config({ SYSTEM_LOG_GROUPS: 'sbc' }).features.systemLogGroups).toEqual([])
    expect(config({ AWS_REGION })).toMatchObject({
      awsRegion: 'eu-west-1',
      features: { systemLogGroups: ['jambonz-feature_server'] },
    })
    expect(config({ AWS_REGION, SYSTEM_LOG_GROUPS: ' a, /aws/b,a ,' }).features.systemLogGroups).toEqual([
      'a',
      '/aws/b',
    ])
    const off = config({ AWS_REGION, DISABLE_SYSTEM_LOGS: 'true' })
    expect(off).not.toHaveProperty('awsRegion')
    expect(off.features.systemLogGroups).toEqual([])
    const front = config({ API_BASE_URL: 'https://example.com/v1', VITE_APP_AWS_REGION: AWS_REGION })
    expect(front.features.systemLogGroups).toEqual(['jambonz-feature_server'])
  })

  it('build the database URL from the separate variables of an existing installation', () => {
    const mysql = {
      JAMBONES_MYSQL_HOST: 'db',
      JAMBONES_MYSQL_USER: 'u@x',
      JAMBONES_MYSQL_PASSWORD: 'p:/@',
      JAMBONES_MYSQL_DATABASE: 'd',
    }
    expect(config(mysql).database.url).toBe('mysql://u%40x:p%3A%2F%40@db:3306/d')
    expect(config({ ...mysql, JAMBONES_MYSQL_PORT: '3307', DATABASE_URL: 'x.db' }).database.url).toBe('x.db')
    expect(() => config({ JAMBONES_MYSQL_HOST: 'db' })).toThrow('JAMBONES_MYSQL_USER')
    expect(() => config({ ...mysql, JAMBONES_MYSQL_DATABASE: '' })).toThrow('JAMBONES_MYSQL_DATABASE')
  })

  it.each([
    ['PORT', '70000', 'PORT must be from 0 to 65535.'],
    ['PORT', 'eighty', 'PORT must be a whole number.'],
    ['HTTP_PORT', '-1', 'HTTP_PORT must be a whole number.'],
    ['JWT_EXPIRES_IN', '0', 'JWT_EXPIRES_IN must be from 1 to 525600.'],
    ['JWT_SECRET', 'short12', 'JWT_SECRET must have at least 8 characters.'],
    ['INITIAL_ADMIN_API_KEY', 'x', 'INITIAL_ADMIN_API_KEY must be a UUID.'],
    ['DATABASE_URL', 'postgres://localhost/x', /^DATABASE_URL must be mysql:/],
    ['DATABASE_URL', 'mysql://localhost', /^DATABASE_URL must be mysql:/],
    ['DATABASE_URL', 'mysql://[', /^DATABASE_URL must be mysql:/],
    ['API_BASE_URL', 'ftp://x', 'API_BASE_URL must be an http or https URL.'],
    ['API_BASE_URL', '/v1', 'API_BASE_URL must be an http or https URL.'],
    ['SMTP_URL', 'https://mail.example.com', /^SMTP_URL must be smtp:/],
    ['MAIL_FROM', 'nobody', 'MAIL_FROM must be an e-mail address, or Name <address>.'],
    ['PUBLIC_URL', 'voice.example.com', 'PUBLIC_URL must be an http or https URL.'],
    ['JAMBONZ_BASE_URL', 'ftp://x', 'JAMBONZ_BASE_URL must be an http or https URL.'],
    ['DISABLE_LCR', 'maybe', 'DISABLE_LCR must be true or false.'],
    ['INFLUX_URL', 'influx:8086', 'INFLUX_URL must be an http or https URL.'],
    ['JAMBONES_TIME_SERIES_HOST', 'no host', 'JAMBONES_TIME_SERIES_HOST must be a host name or an IP address.'],
    ['CALL_RETENTION_DAYS', '-1', 'CALL_RETENTION_DAYS must be a whole number.'],
    ['INGEST_PORT', '70000', 'INGEST_PORT must be from 0 to 65535.'],
    ['LOG_LEVEL', 'loud', /^LOG_LEVEL /],
    ['AWS_REGION', 'Frankfurt', 'AWS_REGION must be the name of an AWS region.'],
    ['SYSTEM_LOG_GROUPS', 'a b', 'SYSTEM_LOG_GROUPS must be a comma-separated list of log group names.'],
    ['SYSTEM_LOG_GROUPS', ',', 'SYSTEM_LOG_GROUPS must be a comma-separated list of log group names.'],
    ['MIN_GATEWAY_NETMASK', '33', 'MIN_GATEWAY_NETMASK must be from 1 to 32.'],
    ['DEFAULT_SERVICE_PROVIDER_SID', 'x', 'DEFAULT_SERVICE_PROVIDER_SID must be a UUID.'],
  ])('%s=%s is refused by name', (name, value, message) => {
    const invalidCall = () => config({ [name]: value })
    expect(invalidCall).toThrow(ConfigError)
    expect(invalidCall).toThrow(message)
  })
})

describe('call records', () => {
  it('are not received, and are stored forever in our own tables by default', () => {
    expect(config({})).toMatchObject({
      ingest: { byKey: false, host: '127.0.0.1' },
      retention: { calls: 0, alerts: 0 },
    })
    expect(config({}).influxUrl).toBeUndefined()
    expect(config({}).ingest.port).toBeUndefined()
  })

  it('come from the InfluxDB of an existing installation', () => {
    expect(config({ JAMBONES_TIME_SERIES_HOST: '10.0.0.4' }).influxUrl).toBe('http://10.0.0.4:8086')
    const both = { JAMBONES_TIME_SERIES_HOST: '10.0.0.4', INFLUX_URL: 'http://a:b@influx:9086' }
    expect(config(both).influxUrl).toBe('http://a:b@influx:9086')
  })

  it('are received as the settings say', () => {
    const set = { ENABLE_INGEST: 'true', INGEST_PORT: '8086', INGEST_HOST: '10.0.0.1', ALERT_RETENTION_DAYS: '30' }
    expect(config(set)).toMatchObject({
      ingest: { byKey: true, port: 8086, host: '10.0.0.1' },
      retention: { calls: 0, alerts: 30 },
    })
  })
})

describe('captured SIP messages', () => {
  it('are received as the settings say, and stored for a week by default', () => {
    expect(config({}).hep).toBeUndefined()
    expect(config({}).retention.captures).toBe(7)
    const limits = { maxPerAddress: 64, idleSeconds: 900 }
    expect(config({ HEP_PORT: '9060' }).hep).toEqual({ port: 9060, host: '127.0.0.1', limits })
    const set = { HEP_PORT: '9060', HEP_HOST: '::', HEP_KEY: 'secret', CAPTURE_RETENTION_DAYS: '0' }
    expect(config(set)).toMatchObject({
      hep: { port: 9060, host: '::', key: 'secret', limits },
      retention: { captures: 0 },
    })
  })

  it('come from Homer if it is configured', () => {
    const homer = { HOMER_BASE_URL: 'http://homer/', HOMER_USERNAME: 'u', HOMER_PASSWORD: 'p' }
    expect(config(homer).homer).toEqual({ url: 'http://homer', username: 'u', password: 'p' })
    expect(() => config({ ...homer, HEP_PORT: '9060' })).toThrow('HEP_PORT and HOMER_BASE_URL exclude each other')
    expect(() => config({ HOMER_BASE_URL: 'http://homer' })).toThrow('HOMER_USERNAME and HOMER_PASSWORD')
  })
})

describe('recordings', () => {
  it('are not received, and are stored forever by default', () => {
    expect(config({}).recordingStream).toBeUndefined()
    expect(config({}).retention.recordings).toBe(0)
    expect(config({ RECORDING_RETENTION_DAYS: '30' }).retention.recordings).toBe(30)
  })

  it.each(['RECORDING_STREAM', 'JAMBONZ_RECORD_WS', 'JAMBONES_RECORD_WS'])(
    'are received with the credential in %s_…',
    (name) => {
      const set = { [`${name}_USERNAME`]: 'platform', [`${name}_PASSWORD`]: 'a password' }
      expect(config(set).recordingStream).toEqual({ username: 'platform', password: 'a password' })
    },
  )

  it('need both username and password', () => {
    const message = 'RECORDING_STREAM_USERNAME and RECORDING_STREAM_PASSWORD are required together.'
    expect(() => config({ RECORDING_STREAM_USERNAME: 'platform' })).toThrow(message)
    expect(() => config({ JAMBONES_RECORD_WS_PASSWORD: 'x' })).toThrow(message)
  })
})

describe('secrets', () => {
  it('are created once, and only their owner can read them', () => {
    const owner = mkdtempSync(join(folder, 'own-'))
    const { secrets: first } = readConfig({ DATA_DIR: owner })
    expect(readConfig({ DATA_DIR: owner }).secrets).toEqual(first)
    expect(first.jwt).not.toBe(first.encryption)
    expect(readdirSync(owner).sort()).toEqual(['encryption-secret', 'jwt-secret'])
    for (const name of readdirSync(owner)) {
      expect(statSync(join(owner, name)).mode & 0o777).toBe(0o600)
      expect(readFileSync(join(owner, name), 'utf8').trim().length).toBeGreaterThanOrEqual(43)
    }
  })

  it('are not created if they are set, or with another API', () => {
    const owner = mkdtempSync(join(folder, 'given-'))
    expect(readConfig({ DATA_DIR: owner, ...secrets }).secrets).toMatchObject({ jwt: 'a secret', encryption: 'b' })
    // An existing installation may have one secret for both.
    expect(readConfig({ DATA_DIR: owner, JWT_SECRET: 'a secret' }).secrets).toMatchObject({
      jwt: 'a secret',
      encryption: 'a secret',
    })
    readConfig({ DATA_DIR: owner, API_BASE_URL: 'https://example.com/v1' })
    expect(readdirSync(owner)).toEqual([])
    expect(readConfig({ DATA_DIR: join(owner, 'none'), API_BASE_URL: 'https://example.com/v1' })).toBeDefined()
    expect(readdirSync(owner)).toEqual([])
  })

  it('are refused if their file is empty', () => {
    const owner = mkdtempSync(join(folder, 'empty-'))
    writeFileSync(join(owner, 'jwt-secret'), '')
    expect(() => readConfig({ DATA_DIR: owner })).toThrow(/jwt-secret is empty/)
  })

  it('need a writable folder', () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    for (const DATA_DIR of [file, join(file, 'below'), '/proc/trunkline'])
      expect(() => readConfig({ DATA_DIR })).toThrow(/^DATA_DIR .*(Make it writable|choose another)/)
    if (process.getuid?.() === 0) return
    const locked = mkdtempSync(join(folder, 'locked-'))
    chmodSync(locked, 0o500)
    expect(() => readConfig({ DATA_DIR: locked })).toThrow(/^DATA_DIR .*cannot be written/)
  })
})
