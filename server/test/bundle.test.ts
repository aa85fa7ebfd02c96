import { isBuiltin } from 'node:module'
import { beforeAll, describe, expect, it } from 'vitest'
import { analyzeBundle } from './process'

let bundle: Awaited<ReturnType<typeof analyzeBundle>>
beforeAll(async () => {
  bundle = await analyzeBundle()
})

describe('the start of a built server', () => {
  it('imports no package that is not bundled', () => {
    const isOpenTelemetry = (name: string) => name.startsWith('@opentelemetry/')
    expect(bundle.initialImports).toContain('node:http')
    expect(bundle.initialImports.filter((name) => !isBuiltin(name))).toEqual([])
    expect(bundle.laterImports.filter(isOpenTelemetry)).toContain('@opentelemetry/sdk-trace')
  })

  it('reads neither WebSockets nor the routes of ingest, which few servers need', () => {
    expect(bundle.bundledFiles.filter((file) => /node_modules\/ws\/|ingest\/\w+-(routes|stream)/.test(file))).toEqual(
      [],
    )
  })

  it('reads only ASCII, because V8 needs two bytes for each character of a file with others', () => {
    expect(bundle.initialTexts.filter((text) => !/^[\0-\x7f]*$/.test(text))).toEqual([])
  })

  it('reads neither the translations of zod nor the validator that zod replaces', () => {
    expect(bundle.bundledFiles.filter((file) => /zod\/v4\/locales\/(?!en\.)|\/ajv\//.test(file))).toEqual([])
    expect(bundle.bundledFiles.some((file) => file.includes('zod/v4/core/schemas'))).toBe(true)
  })
})
