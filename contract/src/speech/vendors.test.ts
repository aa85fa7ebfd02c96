import { describe, expect, it } from 'vitest'
import { getVendorName, isOffered, listVendors, sortVendors } from './vendors'
import { vendors } from './vendors/all'

describe('the vendors', () => {
  const edition = { customSpeech: true, additionalSpeech: true }
  const listNames = (direction: 'synthesis' | 'recognition') => listVendors(direction, edition).map(({ name }) => name)

  it('appear in the lists of the directions that they support', () => {
    for (const name of ['AssemblyAI', 'Soniox', 'Cobalt', 'Custom']) expect(listNames('synthesis')).not.toContain(name)
    for (const name of ['WellSaid', 'ElevenLabs', 'Whisper', 'Custom'])
      expect(listNames('recognition')).not.toContain(name)
    for (const name of ['AWS', 'Google', 'Deepgram', 'IBM', 'Microsoft', 'Nuance', 'Nvidia'])
      for (const direction of ['synthesis', 'recognition'] as const) expect(listNames(direction)).toContain(name)
  })

  it('are unique, sorted by name, and support a direction', () => {
    expect(new Set(vendors.map(({ vendor }) => vendor)).size).toBe(vendors.length)
    const allNames = vendors.map(({ name }) => name)
    expect(allNames).toEqual(allNames.toSorted((a, b) => a.localeCompare(b)))
    for (const { synthesis, recognition } of vendors) expect(synthesis ?? recognition).not.toBeNull()
  })

  it('are fewer if the edition disables some', () => {
    const listOffered = (flags: Partial<typeof edition>) =>
      vendors.filter((vendor) => isOffered(vendor, { ...edition, ...flags })).map(({ name }) => name)
    const listMissing = (flags: Partial<typeof edition>) =>
      listOffered({}).filter((name) => !listOffered(flags).includes(name))
    expect(listOffered({})).toHaveLength(vendors.length)
    expect(listMissing({ customSpeech: false })).toEqual(['Custom'])
    expect(listMissing({ additionalSpeech: false })).toEqual(['Speechmatics'])
    expect(listVendors('recognition', { ...edition, additionalSpeech: false }).map(({ name }) => name)).not.toContain(
      'Speechmatics',
    )
  })

  it('are sorted by display name, not by stored name', () => {
    const stored = ['verbio', 'houndify', 'custom:abacus', 'aws', 'soniox', 'custom:Tower', 'speechmatics']
    expect(sortVendors(stored).map(getVendorName)).toEqual([
      'abacus (custom)',
      'AWS',
      'Soniox',
      'SoundHound',
      'Speechmatics',
      'Tower (custom)',
      'Verbio',
    ])
  })

  it('are shown by display name', () => {
    expect(['google', 'custom:Voice Mill', 'unheard-of'].map(getVendorName)).toEqual([
      'Google',
      'Voice Mill (custom)',
      'unheard-of',
    ])
  })
})
