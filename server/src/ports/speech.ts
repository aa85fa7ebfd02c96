import type { Catalogue } from '@trunkline/contract/speech/catalogue'

/** A request to a vendor failed. The message is for users and contains no secret. */
export class SpeechError extends Error {}

/** A decrypted credential with the fields of its vendor. */
export interface SpeechCredential {
  /**
   * The SID of the account, or of the provider of a shared credential. Sent to vendors that the server calls with its own
   * identity.
   */
  ownerSid: string
  vendor: string
  fields: Record<string, unknown>
}

/** A custom voice of a Google customer. */
export interface ClonedVoice {
  model: string
  reported_usage: string | null
  /** Used instead of the model, if present. */
  cloning_key: string | null
}

/** A text with the voice that reads it. */
export interface SpeechRequest {
  text: string
  language: string
  /** A voice, or a model for vendors whose voices are models. */
  voice: string
  clonedVoice?: ClonedVoice
  /** AWS only: the engine. Default: the best engine of the voice. */
  engine?: string
}

/** Audio in a format that browsers play. */
export interface Audio {
  /** The media type. */
  type: string
  bytes: Buffer
}

/** The result of testing a credential. 'not tested': the vendor offers no way to test it. */
export type TestResult = { status: 'ok' } | { status: 'fail'; reason: string } | { status: 'not tested' }

/** The speech vendors. Errors are returned as test results or thrown as SpeechError. */
export interface Speech {
  /** Synthesises speech with the credential. */
  testSynthesis(credential: SpeechCredential): Promise<TestResult>
  /** Recognises speech with the credential. */
  testRecognition(credential: SpeechCredential): Promise<TestResult>
  /**
   * What a vendor offers to the owner of a credential, or else to everybody. Cached for several minutes. `null`: the built-in
   * catalogue, without a request. Throws for unknown vendors.
   */
  fetchCatalogue(vendor: string, credential?: SpeechCredential | null): Promise<Catalogue>
  /** Whether this server can play voices of the vendor. */
  canSynthesize(vendor: string): boolean
  synthesize(credential: SpeechCredential, request: SpeechRequest): Promise<Audio>
}
