import { beforeAll, describe, expect, it } from 'vitest'
import { analyzeBundle } from './process'

let bundle: Awaited<ReturnType<typeof analyzeBundle>>
beforeAll(async () => {
  bundle = await analyzeBundle()
})

describe('the start of a built server', () => {
  it('loads no library of OpenTelemetry', () => {
    const isOpenTelemetry = (name: string) => name.startsWith('@opentelemetry/')
    expect(bundle.initialImports.filter(isOpenTelemetry)).toEqual([])
    expect(bundle.initialImports).toContain('@node-rs/argon2')
    expect(bundle.laterImports.filter(isOpenTelemetry)).toContain('@opentelemetry/sdk-trace')
  })

  it('reads neither the translations of zod nor the validator that zod replaces', () => {
    expect(bundle.bundledFiles.filter((file) => /zod\/v4\/locales\/(?!en\.)|\/ajv\//.test(file))).toEqual([])
    expect(bundle.bundledFiles.some((file) => file.includes('zod/v4/core/schemas'))).toBe(true)
  })
})
