import type { Direction, Vendor } from './vendor'

const english = { languages: ['en-US'] }

/** The vendors that there are, by name. Those that an installation adds of its own are custom ones. */
export const vendors: readonly Vendor[] = [
  { vendor: 'assemblyai', name: 'AssemblyAI', synthesis: null, recognition: english },
  { vendor: 'aws', name: 'AWS', synthesis: english, recognition: english },
  { vendor: 'cartesia', name: 'Cartesia', synthesis: { languages: ['en'] }, recognition: { languages: ['en'] } },
  { vendor: 'cobalt', name: 'Cobalt', synthesis: null, recognition: { languages: ['en_US-8khz'] } },
  { vendor: 'deepgram', name: 'Deepgram', synthesis: { ...english, models: true }, recognition: english },
  {
    vendor: 'deepgramflux',
    name: 'Deepgram Flux',
    synthesis: null,
    recognition: { ...english, anyLanguage: true },
  },
  { vendor: 'elevenlabs', name: 'ElevenLabs', synthesis: { languages: ['en'] }, recognition: null },
  { vendor: 'gladia', name: 'Gladia', synthesis: null, recognition: english },
  { vendor: 'google', name: 'Google', synthesis: { ...english, voice: 'en-US-Standard-C' }, recognition: english },
  { vendor: 'ibm', name: 'IBM', synthesis: english, recognition: english },
  { vendor: 'inworld', name: 'Inworld', synthesis: { languages: ['en'] }, recognition: null },
  { vendor: 'microsoft', name: 'Microsoft', synthesis: english, recognition: english },
  { vendor: 'nuance', name: 'Nuance', synthesis: english, recognition: english },
  { vendor: 'nvidia', name: 'Nvidia', synthesis: english, recognition: english },
  { vendor: 'openai', name: 'OpenAI', synthesis: null, recognition: english },
  { vendor: 'playht', name: 'PlayHT', synthesis: { languages: ['en-US', 'english'] }, recognition: null },
  { vendor: 'resemble', name: 'Resemble', synthesis: english, recognition: null },
  { vendor: 'rimelabs', name: 'RimeLabs', synthesis: { languages: ['eng'] }, recognition: null },
  { vendor: 'soniox', name: 'Soniox', synthesis: null, recognition: english },
  { vendor: 'houndify', name: 'SoundHound', synthesis: null, recognition: english },
  { vendor: 'speechmatics', name: 'Speechmatics', synthesis: null, recognition: english },
  { vendor: 'verbio', name: 'Verbio', synthesis: english, recognition: english },
  { vendor: 'voxist', name: 'Voxist', synthesis: null, recognition: english },
  { vendor: 'wellsaid', name: 'WellSaid', synthesis: english, recognition: null },
  { vendor: 'whisper', name: 'Whisper', synthesis: english, recognition: null },
]

const customMark = 'custom:'

/** A vendor that an installation has added: what it can do is known to its credential only. */
export const isCustom = (vendor: string): boolean => vendor.startsWith(customMark)

export const vendorOf = (vendor: string): Vendor | undefined => vendors.find((each) => each.vendor === vendor)

/** What a person calls a vendor. */
export const vendorName = (vendor: string): string =>
  isCustom(vendor) ? `${vendor.slice(customMark.length)} (custom)` : (vendorOf(vendor)?.name ?? vendor)

/** The vendors that can be chosen for a direction. */
export const vendorsFor = (direction: Direction): readonly Vendor[] =>
  vendors.filter((each) => each[direction] !== null)
