import { messages } from '../../ports/speech-messages'
import type { Catalogue, SpeechOption } from '@trunkline/contract/speech/catalogue'
import { SpeechError, type SynthesisRequest, type SpeechAudio } from '../../ports/speech'
import type { Ask, Reply } from './ask'

export type Parts = Record<string, unknown>

/**
 * What of a vendor this server can do. What is absent cannot be done there. Everything throws a SpeechFault. `owner`: whose
 * credential it is.
 */
export interface VendorApi {
  /** Makes sure that the credential speaks. 'not tested' where this one cannot be tried. */
  speaks?: (ask: Ask, parts: Parts, owner: string) => Promise<void | 'not tested'>
  hears?: (ask: Ask, parts: Parts, owner: string) => Promise<void | 'not tested'>
  /** What the vendor itself offers; asked for as its description says (`lookUp`). The keys that it says nothing about are absent. */
  lists?: (ask: Ask, parts: Parts, owner: string) => Promise<Catalogue>
  says?: (ask: Ask, parts: Parts, saying: SynthesisRequest, owner: string) => Promise<SpeechAudio>
}

/** A part of a credential; blank when it is not there. */
export const text = (parts: Parts, name: string): string => {
  const value = parts[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** An address that may be written without its protocol. */
export const withProtocol = (address: string, protocol = 'https'): string =>
  (/^[a-z]+:\/\//i.test(address) ? address : `${protocol}://${address}`).replace(/\/+$/, '')

/** A server of a customer's own: at a port it speaks plainly, unless its address says otherwise. */
export const ownServer = (address: string): string => {
  const port = /^[^/]*:(\d+)(?:\/|$)/.exec(address)?.[1]
  return withProtocol(address, port && port !== '443' ? 'http' : 'https')
}

/** A host, which becomes a part of an address: nothing else can be smuggled into it. */
export const hostPart = (value: string): string => {
  if (/^[a-z0-9-]+$/i.test(value)) return value
  throw new SpeechError(messages.badAddress)
}

/** Sound out of an answer that is nothing but that. */
export const soundIn = ({ type, bytes }: Reply, otherwise = 'audio/mpeg'): SpeechAudio => {
  const isSound = type.startsWith('audio/') || type === 'application/octet-stream' || type === ''
  if (!isSound || bytes.length === 0) throw new SpeechError(messages.noAudio)
  return { type: type.startsWith('audio/') ? type : otherwise, bytes }
}

/** Sound out of base64 in an answer. */
export const soundOf = (encoded: unknown, type = 'audio/mpeg'): SpeechAudio => {
  if (typeof encoded !== 'string' || encoded === '') throw new SpeechError(messages.noAudio)
  return { type, bytes: Buffer.from(encoded, 'base64') }
}

/** What is said to try a voice. */
const greeting = 'Hello world, how are you?'

/** A trial by speaking: a short sentence in a voice that every credential of this vendor has. */
export const bySaying =
  (says: NonNullable<VendorApi['says']>, voice: string, language = 'en-US') =>
  async (ask: Ask, parts: Parts, owner: string): Promise<void> => {
    await says(ask, parts, { text: greeting, language, voice }, owner)
  }

/** A voice as a vendor lists it, under each of its languages. */
export interface Listed extends SpeechOption {
  languages: readonly string[]
}

const names = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' })

/** What a person calls a language; the code itself where nobody knows it. */
export const languageName = (code: string): string => {
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}

/** Voices by language, in the order in which the languages first come. */
export const byLanguage = (
  voices: readonly Listed[],
  nameOf: (language: string) => string = languageName,
): NonNullable<Catalogue['tts']> => {
  const found = new Map<string, SpeechOption[]>()
  for (const { languages, value, name } of voices)
    for (const language of languages) {
      if (!found.has(language)) found.set(language, [])
      found.get(language)!.push({ value, name })
    }
  return [...found].map(([value, offers]) => ({ value, name: nameOf(value), voices: offers }))
}

const isRow = (row: unknown): row is object => typeof row === 'object' && row !== null && !Array.isArray(row)

/** Rows of an answer that are rows, without what is null in them: a vendor's list may hold anything. */
export const rowsOf = <Row extends object>(value: unknown): Partial<Row>[] =>
  (Array.isArray(value) ? value : [])
    .filter(isRow)
    .map((row) => Object.fromEntries(Object.entries(row).filter(([, part]) => part !== null)) as Partial<Row>)

/** The rows of a list that must be there: an answer without it is none. */
export const listedRows = <Row extends object>(value: unknown): Partial<Row>[] => {
  if (Array.isArray(value)) return rowsOf<Row>(value)
  throw new SpeechError(messages.unreadable)
}

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The texts of a list in an answer. */
export const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(asText).filter(Boolean) : [])
