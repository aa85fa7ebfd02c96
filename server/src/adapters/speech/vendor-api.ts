import { messages } from '../../ports/speech-error-messages'
import type { Catalogue, SpeechOption } from '@trunkline/contract/speech/catalogue'
import { SpeechError, type SpeechRequest, type Audio } from '../../ports/speech'
import type { SendRequest, VendorResponse } from './vendor-client'

export type CredentialFields = Record<string, unknown>

/**
 * What this server can do at a vendor; missing functions are unsupported. Functions throw SpeechError. `owner`: see
 * `SpeechCredential`.
 */
export interface VendorApi {
  /** Tests synthesis with the credential. Returns 'not tested' if this credential cannot be tested. */
  testSynthesis?: (send: SendRequest, fields: CredentialFields, owner: string) => Promise<void | 'not tested'>
  testRecognition?: (send: SendRequest, fields: CredentialFields, owner: string) => Promise<void | 'not tested'>
  /** The vendor's current lists. Kinds without a list are absent. */
  fetchCatalogue?: (send: SendRequest, fields: CredentialFields, owner: string) => Promise<Catalogue>
  synthesize?: (send: SendRequest, fields: CredentialFields, request: SpeechRequest, owner: string) => Promise<Audio>
}

/** A text field of a credential; empty if it is missing. */
export const textField = (fields: CredentialFields, name: string): string => {
  const value = fields[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** Adds the protocol if the address has none. */
export const withProtocol = (address: string, protocol = 'https'): string =>
  (/^[a-z]+:\/\//i.test(address) ? address : `${protocol}://${address}`).replace(/\/+$/, '')

/** The URL of a customer's own server: with a port it defaults to HTTP. */
export const customServerUrl = (address: string): string => {
  const port = /^[^/]*:(\d+)(?:\/|$)/.exec(address)?.[1]
  return withProtocol(address, port && port !== '443' ? 'http' : 'https')
}

/** Checks a value that becomes part of a host name, so that it cannot change the host. */
export const toHostLabel = (value: string): string => {
  if (/^[a-z0-9-]+$/i.test(value)) return value
  throw new SpeechError(messages.badAddress)
}

/** The audio of a response with no other content. */
export const audioOf = ({ type, bytes }: VendorResponse, defaultType = 'audio/mpeg'): Audio => {
  const isAudio = type.startsWith('audio/') || type === 'application/octet-stream' || type === ''
  if (!isAudio || bytes.length === 0) throw new SpeechError(messages.noAudio)
  return { type: type.startsWith('audio/') ? type : defaultType, bytes }
}

/** The audio of a base64 field. */
export const decodeAudio = (encoded: unknown, type = 'audio/mpeg'): Audio => {
  if (typeof encoded !== 'string' || encoded === '') throw new SpeechError(messages.noAudio)
  return { type, bytes: Buffer.from(encoded, 'base64') }
}

/** The text of a synthesis test. */
const testText = 'Hello world, how are you?'

/** Tests a credential by synthesising a short text with a voice that every customer has. */
export const testBySynthesis =
  (synthesize: NonNullable<VendorApi['synthesize']>, voice: string, language = 'en-US') =>
  async (send: SendRequest, fields: CredentialFields, owner: string): Promise<void> => {
    await synthesize(send, fields, { text: testText, language, voice }, owner)
  }

/** A voice with the languages that it speaks. */
export interface ListedVoice extends SpeechOption {
  languages: readonly string[]
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' })

/** The English name of a language, or its code if it is unknown. */
export const languageName = (code: string): string => {
  try {
    return languageNames.of(code) ?? code
  } catch {
    return code
  }
}

/** Groups voices by language, in the order of first occurrence. */
export const groupByLanguage = (
  voices: readonly ListedVoice[],
  nameOf: (language: string) => string = languageName,
): NonNullable<Catalogue['tts']> => {
  const offersByLanguage = new Map<string, SpeechOption[]>()
  for (const { languages, value, name } of voices)
    for (const language of languages) {
      if (!offersByLanguage.has(language)) offersByLanguage.set(language, [])
      offersByLanguage.get(language)!.push({ value, name })
    }
  return [...offersByLanguage].map(([value, offers]) => ({ value, name: nameOf(value), voices: offers }))
}

const isRow = (row: unknown): row is object => typeof row === 'object' && row !== null && !Array.isArray(row)

/** The objects of a list without their null fields; vendors' lists may contain anything. */
export const rowsOf = <Row extends object>(value: unknown): Partial<Row>[] =>
  (Array.isArray(value) ? value : [])
    .filter(isRow)
    .map((row) => Object.fromEntries(Object.entries(row).filter(([, part]) => part !== null)) as Partial<Row>)

/** The rows of a required list. Throws if it is missing. */
export const requiredRows = <Row extends object>(value: unknown): Partial<Row>[] => {
  if (Array.isArray(value)) return rowsOf<Row>(value)
  throw new SpeechError(messages.unreadable)
}

export const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The texts of a list. */
export const toTexts = (value: unknown): string[] => (Array.isArray(value) ? value.map(toText).filter(Boolean) : [])
