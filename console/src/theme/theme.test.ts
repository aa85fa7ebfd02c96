// @vitest-environment node
/// <reference types="node" />
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const find = createRequire(import.meta.url)
const source = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(path, 'utf8')

const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
  .map((name) => read(source + name))

const used = [...new Set(texts.flatMap((text) => text.match(/@mantine\/\w+\/styles\/[\w.]+\.css/g) ?? []))]
const given = new Set(read(`${source}theme/mantine.css`).match(/--mantine-[\w-]+(?=\s*:)/g))

describe('the theme', () => {
  it('gives a value to every variable that the used sheets read', () => {
    const wanted = new Set(
      used.flatMap((sheet) => read(find.resolve(sheet)).match(/(?<=var\()--mantine-[\w-]+(?=\))/g) ?? []),
    )
    expect(wanted.size).toBeGreaterThan(20)
    expect([...wanted].filter((name) => !given.has(name))).toEqual([])
  })

  it('takes only the layered sheets, so that ours come after', () => {
    expect(used.filter((sheet) => !sheet.endsWith('.layer.css'))).toEqual([])
  })

  it('never takes the whole sheet', () => {
    expect(texts.filter((text) => /@mantine\/core\/styles(\.layer)?\.css/.test(text))).toEqual([])
  })
})
