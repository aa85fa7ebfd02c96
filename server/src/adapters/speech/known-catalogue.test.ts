import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { vendors } from '@trunkline/contract/speech/vendors/all'
import { knownCatalogue } from './known-catalogue'

const folder = new URL('./lists/', import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith('.json'))

describe('the built-in catalogue', () => {
  it.each(files)('has a source and a date: %s', (name) => {
    const { source, date } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Record<string, unknown>
    expect(source).toEqual(expect.stringMatching(/\S/))
    expect(date).toEqual(expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/))
    expect(Date.parse(String(date))).not.toBeNaN()
  })

  it.each(files)('covers what its vendor supports: %s', async (name) => {
    const { vendor, synthesis, recognition, listSource } = vendors.find((item) => `${item.vendor}.json` === name)!
    const known = await knownCatalogue(vendor)
    if (recognition) expect(known?.stt?.length).toBeGreaterThan(0)
    // Rime's list is public and requested from Rime
    if (synthesis && listSource?.access !== 'nothing') expect(known?.tts?.length).toBeGreaterThan(0)
    expect(known).toBeDefined()
  })

  it('exists for each vendor with a lookup, for use without a credential', () => {
    const requests = vendors.filter(({ listSource }) => listSource)
    expect(files).toEqual(expect.arrayContaining(requests.map(({ vendor }) => `${vendor}.json`)))
  })
})
