import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trunkline-config-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const secrets = { JWT_SECRET: 'a secret', ENCRYPTION_SECRET: 'b' }
const configWith = (environment: Record<string, string>) => readConfig({ DATA_DIR: folder, ...secrets, ...environment })

describe('settings of Redis', () => {
  it('accept a URL, or the separate variables of an existing installation', () => {
    expect(configWith({})).not.toHaveProperty('redis')
    expect(configWith({ REDIS_URL: 'rediss://u:p@cache:6380' }).redis).toBe('rediss://u:p@cache:6380')
    expect(configWith({ JAMBONES_REDIS_HOST: 'cache' }).redis).toBe('redis://cache:6379')
    const hostVariables = { JAMBONES_REDIS_HOST: 'cache', JAMBONES_REDIS_PORT: '6380', JAMBONES_REDIS_PASSWORD: 'p:/@' }
    expect(configWith(hostVariables).redis).toBe('redis://:p%3A%2F%40@cache:6380')
    expect(
      configWith({ ...hostVariables, JAMBONES_REDIS_USERNAME: 'u', ENABLE_JAMBONES_REDIS_TLS: 'true' }).redis,
    ).toBe('rediss://u:p%3A%2F%40@cache:6380')
    expect(configWith({ ...hostVariables, REDIS_URL: 'redis://other' }).redis).toBe('redis://other')
    expect(() => configWith({ ...hostVariables, JAMBONES_REDIS_PORT: 'x' })).toThrow('JAMBONES_REDIS_PORT')
    for (const invalid of ['cache:6379', 'http://cache', 'redis'])
      expect(() => configWith({ REDIS_URL: invalid })).toThrow(/REDIS_URL must be redis:/)
  })

  describe('for sentinels', () => {
    const sentinelVariables = {
      JAMBONES_REDIS_SENTINELS: 'one:26379, 10.0.0.2:26380,[::1]:26381,',
      JAMBONES_REDIS_SENTINEL_MASTER_NAME: 'platform',
    }
    const sentinels = [
      { host: 'one', port: 26379 },
      { host: '10.0.0.2', port: 26380 },
      { host: '::1', port: 26381 },
    ]

    it('replace the host of Redis, with credentials for both and TLS', () => {
      expect(configWith(sentinelVariables).redis).toEqual({ sentinels: sentinels, master: 'platform', tls: false })
      expect(
        configWith({
          ...sentinelVariables,
          JAMBONES_REDIS_SENTINEL_USERNAME: 'u',
          JAMBONES_REDIS_SENTINEL_PASSWORD: 'p:/@',
          JAMBONES_REDIS_SENTINEL_SERVER_PASSWORD: 's',
          ENABLE_JAMBONES_REDIS_TLS: '1',
        }).redis,
      ).toEqual({
        ...{ sentinels: sentinels, master: 'platform' },
        ...{ username: 'u', password: 'p:/@', sentinelPassword: 's', tls: true },
      })
    })

    it('take precedence over a host, but not over REDIS_URL', () => {
      expect(configWith({ ...sentinelVariables, JAMBONES_REDIS_HOST: 'cache' }).redis).toMatchObject({
        master: 'platform',
      })
      expect(configWith({ ...sentinelVariables, REDIS_URL: 'redis://other' }).redis).toBe('redis://other')
      expect(
        configWith({ ...sentinelVariables, JAMBONES_REDIS_SENTINELS: ' ', JAMBONES_REDIS_HOST: 'cache' }).redis,
      ).toBe('redis://cache:6379')
    })

    it.each(['one', 'one:', ':26379', 'one:0', 'one:65536', 'one:x', 'ok:1,::1:2', 'redis://one:1', 'a b:1'])(
      'are refused if they are %j',
      (sentinelList) => {
        const readInvalid = () => configWith({ ...sentinelVariables, JAMBONES_REDIS_SENTINELS: sentinelList })
        expect(readInvalid).toThrow(ConfigError)
        expect(readInvalid).toThrow(
          /^JAMBONES_REDIS_SENTINELS must be a comma-separated list of host:port; \S.* is not\.$/,
        )
      },
    )

    it('require the name of the master, and a password with a username', () => {
      expect(() => configWith({ ...sentinelVariables, JAMBONES_REDIS_SENTINEL_MASTER_NAME: '' })).toThrow(
        'JAMBONES_REDIS_SENTINEL_MASTER_NAME is required together with JAMBONES_REDIS_SENTINELS.',
      )
      expect(() => configWith({ ...sentinelVariables, JAMBONES_REDIS_SENTINEL_USERNAME: 'u' })).toThrow(
        'JAMBONES_REDIS_SENTINEL_PASSWORD is required',
      )
    })
  })
})
