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
const configWith = (environment: Record<string, string> = {}) =>
  readConfig({ DATA_DIR: folder, ...secrets, ...environment })

describe('settings', () => {
  it('have defaults', () => {
    expect(configWith()).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      database: { url: join(folder, 'trunkline.sqlite'), connections: 10 },
      tokenMinutes: 60,
      lockout: { attempts: 6, seconds: 1800 },
      enforceQuotas: false,
      adminCarrier: false,
      trustProxy: 0,
      features: defaultFeatureFlags,
    })
    expect(configWith()).not.toHaveProperty('apiBaseUrl')
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
    ['APPLY_JAMBONZ_DB_LIMITS', '1', ({ enforceQuotas }) => enforceQuotas, true],
    ['JAMBONES_ADMIN_CARRIER', '1', ({ adminCarrier }) => adminCarrier, true],
    ['VITE_ADMIN_CARRIER', '1', ({ features }) => features.adminCarrier, true],
    ['JAMBONZ_MIN_GATEWAY_NETMASK', '24', ({ minimumNetmask }) => minimumNetmask, 24],
    ['LEGACY_CRYPTO', 'anything', ({ secrets: { legacyCrypto } }) => legacyCrypto, true],
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
  ])('%s=%s sets the configuration', (name, value, selectValue, expected) => {
    expect(selectValue(configWith({ [name]: value }))).toEqual(expected)
  })

  it('enable password resets as soon as mail can be sent, unless disabled', () => {
    const mail = { SMTP_URL: 'smtp://u:p@mail.example.com:587', MAIL_FROM: 'Trunkline <no-reply@example.com>' }
    expect(configWith(mail)).toMatchObject({
      mail: { url: mail.SMTP_URL, from: mail.MAIL_FROM },
      publicUrl: 'http://127.0.0.1:3000',
      features: { forgotPassword: true },
    })
    expect(configWith({ ...mail, ENABLE_FORGOT_PASSWORD: 'false' }).features.forgotPassword).toBe(false)
    expect(() => configWith({ SMTP_URL: mail.SMTP_URL })).toThrow('MAIL_FROM is required together with SMTP_URL.')
    expect(configWith()).not.toHaveProperty('mail')
    // Another API sends its own mail, and only its operator knows whether it can.
    const API_BASE_URL = 'https://example.com/v1'
    expect(configWith({ API_BASE_URL }).features.forgotPassword).toBe(false)
    expect(configWith({ API_BASE_URL, ENABLE_FORGOT_PASSWORD: 'true' }).features.forgotPassword).toBe(true)
  })

  it('prefer the name of a setting to its aliases', () => {
    expect(configWith({ PORT: '1', HTTP_PORT: '2' }).port).toBe(1)
  })

  it('have one URL for all feature servers in Kubernetes, with the named or the default port', () => {
    const kubernetesVariables = { K8S: 'true', K8S_FEATURE_SERVER_SERVICE_NAME: 'feature-server' }
    expect(configWith(kubernetesVariables).platform.featureServerUrl).toBe('http://feature-server:3000')
    expect(
      configWith({ ...kubernetesVariables, K8S_FEATURE_SERVER_SERVICE_PORT: '3300' }).platform.featureServerUrl,
    ).toBe('http://feature-server:3300')
    expect(configWith({ ...kubernetesVariables, K8S: '' }).platform).toEqual({ clusterId: 'default', apiVersion: 'v1' })
  })

  it('enable system logs if a region is set, with a default log group', () => {
    const AWS_REGION = 'eu-west-1'
    expect(configWith({})).not.toHaveProperty('awsRegion')
    expect(configWith({ SYSTEM_LOG_GROUPS: 'sbc' }).features.systemLogGroups).toEqual([])
    expect(configWith({ AWS_REGION })).toMatchObject({
      awsRegion: 'eu-west-1',
      features: { systemLogGroups: ['jambonz-feature_server'] },
    })
    expect(configWith({ AWS_REGION, SYSTEM_LOG_GROUPS: ' a, /aws/b,a ,' }).features.systemLogGroups).toEqual([
      'a',
      '/aws/b',
    ])
    const configWithoutLogs = configWith({ AWS_REGION, DISABLE_SYSTEM_LOGS: 'true' })
    expect(configWithoutLogs).not.toHaveProperty('awsRegion')
    expect(configWithoutLogs.features.systemLogGroups).toEqual([])
    const consoleOnlyConfig = configWith({ API_BASE_URL: 'https://example.com/v1', VITE_APP_AWS_REGION: AWS_REGION })
    expect(consoleOnlyConfig.features.systemLogGroups).toEqual(['jambonz-feature_server'])
  })

  it('build the database URL from the separate variables of an existing installation', () => {
    const mysql = {
      JAMBONES_MYSQL_HOST: 'db',
      JAMBONES_MYSQL_USER: 'u@x',
      JAMBONES_MYSQL_PASSWORD: 'p:/@',
      JAMBONES_MYSQL_DATABASE: 'd',
    }
    expect(configWith(mysql).database.url).toBe('mysql://u%40x:p%3A%2F%40@db:3306/d')
    expect(configWith({ ...mysql, JAMBONES_MYSQL_PORT: '3307', DATABASE_URL: 'x.db' }).database.url).toBe('x.db')
    expect(() => configWith({ JAMBONES_MYSQL_HOST: 'db' })).toThrow('JAMBONES_MYSQL_USER')
    expect(() => configWith({ ...mysql, JAMBONES_MYSQL_DATABASE: '' })).toThrow('JAMBONES_MYSQL_DATABASE')
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
    ['MAIL_FROM', 'nobody', 'MAIL_FROM must be an email address, or Name <address>.'],
    ['PUBLIC_URL', 'voice.example.com', 'PUBLIC_URL must be an http or https URL.'],
    ['JAMBONZ_BASE_URL', 'ftp://x', 'JAMBONZ_BASE_URL must be an http or https URL.'],
    ['DISABLE_LCR', 'maybe', 'DISABLE_LCR must be true or false.'],
    ['INFLUX_URL', 'influx:8086', 'INFLUX_URL must be an http or https URL.'],
    ['CLICKHOUSE_URL', 'clickhouse:8123', 'CLICKHOUSE_URL must be an http or https URL.'],
    [
      'CLICKHOUSE_URL',
      'http://clickhouse:8123/my-calls',
      'CLICKHOUSE_URL must be http://user:password@host:8123/database, and the database a name of letters, digits and underscores.',
    ],
    ['JAMBONES_TIME_SERIES_HOST', 'no host', 'JAMBONES_TIME_SERIES_HOST must be a host name or an IP address.'],
    ['CONSOLE_NOTICE', 'x'.repeat(201), 'CONSOLE_NOTICE must have at most 200 characters.'],
    ['CALL_RETENTION_DAYS', '-1', 'CALL_RETENTION_DAYS must be a whole number.'],
    ['INGEST_PORT', '70000', 'INGEST_PORT must be from 0 to 65535.'],
    ['LOG_LEVEL', 'loud', /^LOG_LEVEL /],
    ['AWS_REGION', 'Frankfurt', 'AWS_REGION must be the name of an AWS region.'],
    ['SYSTEM_LOG_GROUPS', 'a b', 'SYSTEM_LOG_GROUPS must be a comma-separated list of log group names.'],
    ['SYSTEM_LOG_GROUPS', ',', 'SYSTEM_LOG_GROUPS must be a comma-separated list of log group names.'],
    ['MIN_GATEWAY_NETMASK', '33', 'MIN_GATEWAY_NETMASK must be from 1 to 32.'],
    ['DEFAULT_SERVICE_PROVIDER_SID', 'x', 'DEFAULT_SERVICE_PROVIDER_SID must be a UUID.'],
  ])('%s=%s is refused with a message that names the setting', (name, value, message) => {
    const readInvalid = () => configWith({ [name]: value })
    expect(readInvalid).toThrow(ConfigError)
    expect(readInvalid).toThrow(message)
  })
})

describe('call records', () => {
  it('are by default not received, and stored in our own tables without a retention period', () => {
    expect(configWith({})).toMatchObject({
      ingest: { acceptsApiKeys: false, host: '127.0.0.1' },
      retention: { calls: 0, alerts: 0 },
    })
    expect(configWith({}).influxUrl).toBeUndefined()
    expect(configWith({}).ingest.port).toBeUndefined()
  })

  it('come from the ClickHouse, and not from the InfluxDB of an existing installation', () => {
    const clickHouse = { CLICKHOUSE_URL: 'http://a:b@clickhouse:8123/calls' }
    const config = configWith({ ...clickHouse, JAMBONES_TIME_SERIES_HOST: '10.0.0.4' })
    expect([config.clickHouseUrl, config.influxUrl]).toEqual([clickHouse.CLICKHOUSE_URL, undefined])
    expect(() => configWith({ ...clickHouse, INFLUX_URL: 'http://influx:8086' })).toThrow(
      'Set either INFLUX_URL or CLICKHOUSE_URL',
    )
  })

  it('come from the InfluxDB of an existing installation', () => {
    expect(configWith({ JAMBONES_TIME_SERIES_HOST: '10.0.0.4' }).influxUrl).toBe('http://10.0.0.4:8086')
    const both = { JAMBONES_TIME_SERIES_HOST: '10.0.0.4', INFLUX_URL: 'http://a:b@influx:9086' }
    expect(configWith(both).influxUrl).toBe('http://a:b@influx:9086')
  })

  it('are received on the configured port and address', () => {
    const environment = {
      ENABLE_INGEST: 'true',
      INGEST_PORT: '8086',
      INGEST_HOST: '10.0.0.1',
      ALERT_RETENTION_DAYS: '30',
    }
    expect(configWith(environment)).toMatchObject({
      ingest: { acceptsApiKeys: true, port: 8086, host: '10.0.0.1' },
      retention: { calls: 0, alerts: 30 },
    })
  })
})

describe('captured SIP messages', () => {
  it('are received on the configured port, and stored for a week by default', () => {
    expect(configWith({}).hep).toBeUndefined()
    expect(configWith({}).retention.captures).toBe(7)
    const limits = { maxPerAddress: 64, idleSeconds: 900 }
    expect(configWith({ HEP_PORT: '9060' }).hep).toEqual({ port: 9060, host: '127.0.0.1', limits })
    const environment = { HEP_PORT: '9060', HEP_HOST: '::', HEP_KEY: 'secret', CAPTURE_RETENTION_DAYS: '0' }
    expect(configWith(environment)).toMatchObject({
      hep: { port: 9060, host: '::', key: 'secret', limits },
      retention: { captures: 0 },
    })
  })

  it('come from Homer if it is configured', () => {
    const homer = { HOMER_BASE_URL: 'http://homer/', HOMER_USERNAME: 'u', HOMER_PASSWORD: 'p' }
    expect(configWith(homer).homer).toEqual({ url: 'http://homer', username: 'u', password: 'p' })
    expect(() => configWith({ ...homer, HEP_PORT: '9060' })).toThrow(
      'HEP_PORT and HOMER_BASE_URL cannot be used together',
    )
    expect(() => configWith({ HOMER_BASE_URL: 'http://homer' })).toThrow('HOMER_USERNAME and HOMER_PASSWORD')
  })
})

describe('recordings', () => {
  it('are by default not received, and stored without a retention period', () => {
    expect(configWith({}).recordingStreamCredentials).toBeUndefined()
    expect(configWith({}).retention.recordings).toBe(0)
    expect(configWith({ RECORDING_RETENTION_DAYS: '30' }).retention.recordings).toBe(30)
  })

  it.each(['RECORDING_STREAM', 'JAMBONZ_RECORD_WS', 'JAMBONES_RECORD_WS'])(
    'are received with the credential in %s_…',
    (name) => {
      const environment = { [`${name}_USERNAME`]: 'platform', [`${name}_PASSWORD`]: 'a password' }
      expect(configWith(environment).recordingStreamCredentials).toEqual({
        username: 'platform',
        password: 'a password',
      })
    },
  )

  it('need both username and password', () => {
    const message = 'RECORDING_STREAM_USERNAME and RECORDING_STREAM_PASSWORD are required together.'
    expect(() => configWith({ RECORDING_STREAM_USERNAME: 'platform' })).toThrow(message)
    expect(() => configWith({ JAMBONES_RECORD_WS_PASSWORD: 'x' })).toThrow(message)
  })
})

describe('secrets', () => {
  it('are created once, and only their owner can read them', () => {
    const dataDir = mkdtempSync(join(folder, 'new-'))
    const { secrets: createdSecrets } = readConfig({ DATA_DIR: dataDir })
    expect(readConfig({ DATA_DIR: dataDir }).secrets).toEqual(createdSecrets)
    expect(createdSecrets.jwt).not.toBe(createdSecrets.encryption)
    expect(readdirSync(dataDir).sort()).toEqual(['encryption-secret', 'jwt-secret'])
    for (const name of readdirSync(dataDir)) {
      expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600)
      expect(readFileSync(join(dataDir, name), 'utf8').trim().length).toBeGreaterThanOrEqual(43)
    }
  })

  it('are not created if they are set, or with another API', () => {
    const dataDir = mkdtempSync(join(folder, 'unused-'))
    expect(readConfig({ DATA_DIR: dataDir, ...secrets }).secrets).toMatchObject({ jwt: 'a secret', encryption: 'b' })
    // An existing installation may have one secret for both.
    expect(readConfig({ DATA_DIR: dataDir, JWT_SECRET: 'a secret' }).secrets).toMatchObject({
      jwt: 'a secret',
      encryption: 'a secret',
    })
    readConfig({ DATA_DIR: dataDir, API_BASE_URL: 'https://example.com/v1' })
    expect(readdirSync(dataDir)).toEqual([])
    expect(readConfig({ DATA_DIR: join(dataDir, 'none'), API_BASE_URL: 'https://example.com/v1' })).toBeDefined()
    expect(readdirSync(dataDir)).toEqual([])
  })

  it('are refused if their file is empty', () => {
    const dataDir = mkdtempSync(join(folder, 'empty-'))
    writeFileSync(join(dataDir, 'jwt-secret'), '')
    expect(() => readConfig({ DATA_DIR: dataDir })).toThrow(/jwt-secret is empty/)
  })

  it('need a writable folder', () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    for (const DATA_DIR of [file, join(file, 'below'), '/proc/trunkline'])
      expect(() => readConfig({ DATA_DIR })).toThrow(/^DATA_DIR .*(Make it writable|choose another)/)
    if (process.getuid?.() === 0) return
    const readOnlyFolder = mkdtempSync(join(folder, 'read-only-'))
    chmodSync(readOnlyFolder, 0o500)
    expect(() => readConfig({ DATA_DIR: readOnlyFolder })).toThrow(/^DATA_DIR .*cannot be written/)
  })
})
