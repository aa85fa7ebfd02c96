import { messages } from '../../ports/speech-error-messages'
import type { Catalogue, SpeechOption } from '@trunkline/contract/speech/catalogue'
import { SpeechError, type SpeechRequest, type Audio } from '../../ports/speech'
import type { SendRequest, VendorResponse } from './vendor-client'

export type CredentialFields = Record<string, unknown>

/**
 * What this server can do at a vendor; missing functions are unsupported. Functions throw SpeechError. `ownerSid`:
 * see `SpeechCredential`.
 */
export interface VendorApi {
  /** Tests synthesis with the credential. Returns 'not tested' if this credential cannot be tested. */
  testSynthesis?: (send: SendRequest, fields: CredentialFields, ownerSid: string) => Promise<void | 'not tested'>
  testRecognition?: (send: SendRequest, fields: CredentialFields, ownerSid: string) => Promise<void | 'not tested'>
  /** Requests the vendor's current lists. Lists that its API lacks are absent. */
  fetchCatalogue?: (send: SendRequest, fields: CredentialFields, ownerSid: string) => Promise<Catalogue>
  synthesize?: (send: SendRequest, fields: CredentialFields, request: SpeechRequest, ownerSid: string) => Promise<Audio>
}

/** Reads a text field of a credential without surrounding spaces; empty if it is missing. */
export const readTextField = (fields: CredentialFields, name: string): string => {
  const value = fields[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** Adds the protocol if the address has none, and removes slashes at its end. */
export const withProtocol = (address: string, protocol = 'https'): string =>
  (/^[a-z]+:\/\//i.test(address) ? address : `${protocol}://${address}`).replace(/\/+$/, '')

/** Completes the URL of a customer's own server. With a port other than 443, it defaults to HTTP. */
export const toCustomServerUrl = (address: string): string => {
  const port = /^[^/]*:(\d+)(?:\/|$)/.exec(address)?.[1]
  return withProtocol(address, port && port !== '443' ? 'http' : 'https')
}

/** Checks a value that becomes part of a host name, so that it cannot change the host. */
export const toHostLabel = (value: string): string => {
  if (/^[a-z0-9-]+$/i.test(value)) return value
  throw new SpeechError(messages.badAddress)
}

/** Returns the audio of a response that contains nothing else. Throws if the response has another type. */
export const extractAudio = ({ type, bytes }: VendorResponse, defaultType = 'audio/mpeg'): Audio => {
  const isAudio = type.startsWith('audio/') || type === 'application/octet-stream' || type === ''
  if (!isAudio || bytes.length === 0) throw new SpeechError(messages.noAudio)
  return { type: type.startsWith('audio/') ? type : defaultType, bytes }
}

/** Decodes the audio in a base64 field. */
export const decodeAudio = (encoded: unknown, type = 'audio/mpeg'): Audio => {
  const bytes = Buffer.from(toText(encoded), 'base64')
  if (bytes.length === 0) throw new SpeechError(messages.noAudio)
  return { type, bytes }
}

/** The text of a synthesis test. */
const testText = 'Hello world, how are you?'

/** Creates a test of a credential, which synthesises a short text with a voice that every customer has. */
export const createSynthesisTest =
  (synthesize: NonNullable<VendorApi['synthesize']>, voice: string, language = 'en-US') =>
  async (send: SendRequest, fields: CredentialFields, ownerSid: string): Promise<void> => {
    await synthesize(send, fields, { text: testText, language, voice }, ownerSid)
  }

/** A voice with the languages that it speaks. */
export interface ListedVoice extends SpeechOption {
  languages: readonly string[]
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' })

/** Returns the English name of a language, or its code if it is unknown. */
export const getLanguageName = (code: string): string => {
  try {
    return languageNames.of(code) ?? code
  } catch {
    return code
  }
}

/** Groups voices by language, in the order of first occurrence. */
export const groupByLanguage = (
  voices: readonly ListedVoice[],
  getName: (language: string) => string = getLanguageName,
): NonNullable<Catalogue['tts']> => {
  const optionsByLanguage = new Map<string, SpeechOption[]>()
  for (const { languages, value, name } of voices)
    for (const language of languages) {
      if (!optionsByLanguage.has(language)) optionsByLanguage.set(language, [])
      optionsByLanguage.get(language)!.push({ value, name })
    }
  return [...optionsByLanguage].map(([value, options]) => ({ value, name: getName(value), voices: options }))
}

const isRow = (row: unknown): row is object => typeof row === 'object' && row !== null && !Array.isArray(row)

/** Returns the objects of a list without their null fields. Other entries are dropped: a vendor's list may contain anything. */
export const readRows = <Row extends object>(value: unknown): Partial<Row>[] =>
  (Array.isArray(value) ? value : [])
    .filter(isRow)
    .map((row) => Object.fromEntries(Object.entries(row).filter(([, part]) => part !== null)) as Partial<Row>)

/** Returns the objects of a required list. Throws if the list is missing. */
export const readRequiredRows = <Row extends object>(value: unknown): Partial<Row>[] => {
  if (Array.isArray(value)) return readRows<Row>(value)
  throw new SpeechError(messages.unreadable)
}

export const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns the texts of a list that are not empty. */
export const toTexts = (value: unknown): string[] => (Array.isArray(value) ? value.map(toText).filter(Boolean) : [])
