import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { projectPath } from './paths.mjs'
import { serverBundleOptions } from './server-bundle.mjs'

describe('the bundle of the server', () => {
  it("imports Fastify's log, which the server therefore declares as a dependency", () => {
    const { dependencies } = JSON.parse(readFileSync(projectPath('server', 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    expect(serverBundleOptions.external).toContain('pino')
    expect(dependencies).toHaveProperty('pino')
  })
})
