/** How a vendor speaks, as far as an application has to choose. */
export interface Synthesis {
  /** The languages to begin with: the first of them that is offered. */
  languages: readonly string[]
  /** The voice to begin with; the first of the language unless said. */
  voice?: string
  /** Its voices are models, which bring their language along. */
  models?: true
}

/** How a vendor listens. */
export interface Recognition {
  languages: readonly string[]
  /** It hears every language: there is none to choose. */
  anyLanguage?: true
}

/** A vendor of speech. */
export interface Vendor {
  /** What credentials and applications store. */
  vendor: string
  name: string
  /** null: it does not speak. */
  synthesis: Synthesis | null
  /** null: it does not listen. */
  recognition: Recognition | null
}

export type Direction = 'synthesis' | 'recognition'
