import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { vendors } from '@trunkline/contract/speech/vendors/all'
import { knownLists } from './lists'

const folder = new URL('./lists/', import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith('.json'))

describe('what everybody knows of a vendor', () => {
  it.each(files)('says where it is from and when it was looked at: %s', (name) => {
    const { source, date } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Record<string, unknown>
    expect(source).toEqual(expect.stringMatching(/\S/))
    expect(date).toEqual(expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/))
    expect(Date.parse(String(date))).not.toBeNaN()
  })

  it.each(files)('is found, and says what its vendor can do: %s', async (name) => {
    const { vendor, synthesis, recognition, listSource } = vendors.find((each) => `${each.vendor}.json` === name)!
    const known = await knownLists(vendor)
    if (recognition) expect(known?.stt?.length).toBeGreaterThan(0)
    // those of Rime are asked of Rime, by anybody
    if (synthesis && listSource?.access !== 'nothing') expect(known?.tts?.length).toBeGreaterThan(0)
    expect(known).toBeDefined()
  })

  it('is there for each vendor that can be asked, which answers without a credential too', () => {
    const asked = vendors.filter(({ listSource }) => listSource)
    expect(files).toEqual(expect.arrayContaining(asked.map(({ vendor }) => `${vendor}.json`)))
  })
})
