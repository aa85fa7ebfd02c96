import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { vendors } from '@trunkline/contract/speech/vendors/all'
import { loadKnownCatalogue } from './known-catalogue'

const folder = new URL('./lists/', import.meta.url)
const fileNames = readdirSync(folder).filter((name) => name.endsWith('.json'))

describe('the built-in catalogue', () => {
  it.each(fileNames)('has a source and a date: %s', (name) => {
    const { source, date } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Record<string, unknown>
    expect(source).toEqual(expect.stringMatching(/\S/))
    expect(date).toEqual(expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/))
    expect(Date.parse(String(date))).not.toBeNaN()
  })

  it.each(fileNames)('covers what its vendor supports: %s', async (name) => {
    const { vendor, synthesis, recognition, listSource } = vendors.find((item) => `${item.vendor}.json` === name)!
    const builtInCatalogue = await loadKnownCatalogue(vendor)
    if (recognition) expect(builtInCatalogue?.stt?.length).toBeGreaterThan(0)
    // A list that needs no credential is always requested from the vendor (Rime).
    if (synthesis && listSource?.access !== 'nothing') expect(builtInCatalogue?.tts?.length).toBeGreaterThan(0)
    expect(builtInCatalogue).toBeDefined()
  })

  it('has the default languages for an unknown version of the engine', async () => {
    const { stt } = (await loadKnownCatalogue('verbio'))!
    for (const engine_version of ['V9', 'constructor'])
      expect(await loadKnownCatalogue('verbio', { engine_version })).toMatchObject({ stt })
  })

  it('exists for each vendor with a lookup, for use without a credential', () => {
    const vendorsWithLookup = vendors.filter(({ listSource }) => listSource)
    expect(fileNames).toEqual(expect.arrayContaining(vendorsWithLookup.map(({ vendor }) => `${vendor}.json`)))
  })
})
