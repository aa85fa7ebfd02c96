import type { Catalogue } from '@trunkline/contract/speech/catalogue'

/** A request to a vendor failed. The message is for users and contains no secret. */
export class SpeechError extends Error {}

/** A decrypted credential, with the fields of its vendor. */
export interface SpeechKey {
  /** The SID of the account or, for a shared credential, of the provider. Needed for vendors that the server accesses in its own name. */
  owner: string
  vendor: string
  parts: Record<string, unknown>
}

/** A custom voice of Google. */
export interface ClonedVoice {
  model: string
  reported_usage: string | null
  /** Used instead of the model, if present. */
  cloning_key: string | null
}

export interface SynthesisRequest {
  text: string
  language: string
  /** The voice or, for vendors without voices, the model. */
  voice: string
  cloned?: ClonedVoice
  /** AWS only; defaults to the best engine of the voice. */
  engine?: string
}

/** Audio in a format that browsers play. */
export interface SpeechAudio {
  type: string
  bytes: Buffer
}

/** 'not tested': the vendor offers no way to test a credential. `reason` is the vendor's. */
export type CredentialTest = { status: 'ok' } | { status: 'fail'; reason: string } | { status: 'not tested' }

/** The speech vendors. Failures are returned as a CredentialTest or thrown as a SpeechError. */
export interface Speech {
  /** Tests text to speech with this credential. */
  testSynthesis(key: SpeechKey): Promise<CredentialTest>
  /** Tests speech recognition with this credential. */
  testRecognition(key: SpeechKey): Promise<CredentialTest>
  /**
   * The languages, voices and models of a vendor: as its API lists them for this credential if it does, otherwise the
   * published ones. Cached for some minutes. With `null` no request is sent. Throws for a vendor without a catalogue.
   */
  catalogue(vendor: string, key?: SpeechKey | null): Promise<Catalogue>
  /** Whether the server can synthesise a preview with this vendor. */
  canSynthesize(vendor: string): boolean
  synthesizeSpeech(key: SpeechKey, request: SynthesisRequest): Promise<SpeechAudio>
}
