import type { Catalogue } from '@trunkline/contract/speech/catalogue'

/** Why a vendor did not do what it was asked: words for a person, in which no secret stands. */
export class SpeechError extends Error {}

/** A credential as it is used: readable, with whatever parts its vendor has. */
export interface SpeechKey {
  /** The SID of the account or, of one that is shared, the provider: for a vendor that is asked under the server's own name. */
  owner: string
  vendor: string
  parts: Record<string, unknown>
}

/** A voice of Google's that a customer has made. */
export interface ClonedVoice {
  model: string
  reported_usage: string | null
  /** Stands in for the model where there is one. */
  cloning_key: string | null
}

/** What to say and how. */
export interface SynthesisRequest {
  text: string
  language: string
  /** A voice, or a model of a vendor that speaks by model. */
  voice: string
  cloned?: ClonedVoice
  /** AWS only: the engine that is to speak; the best that the voice has unless said. */
  engine?: string
}

/** A recording in a form that browsers play. */
export interface SpeechAudio {
  type: string
  bytes: Buffer
}

/** 'untested': there is no way to try it. Otherwise the vendor's reason why it failed, or nothing. */
export type CredentialTest = { status: 'ok' } | { status: 'fail'; reason: string } | { status: 'not tested' }

/** The vendors of speech. Whatever they do wrong is told as a trial or thrown as a SpeechFault. */
export interface Speech {
  /** Lets the vendor speak with this credential. */
  testSynthesis(key: SpeechKey): Promise<CredentialTest>
  /** Lets the vendor listen with this credential. */
  testRecognition(key: SpeechKey): Promise<CredentialTest>
  /**
   * What a vendor offers: to the holder of a credential as far as it says so, else what everybody knows of it. Kept for
   * some minutes. `null`: what everybody knows, without asking anybody. Throws for a vendor of which nothing is known.
   */
  catalogue(vendor: string, key?: SpeechKey | null): Promise<Catalogue>
  /** Can a credential of this vendor be listened to? */
  canSynthesize(vendor: string): boolean
  synthesizeSpeech(key: SpeechKey, request: SynthesisRequest): Promise<SpeechAudio>
}
