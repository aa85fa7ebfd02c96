import type { SpeechOption } from './catalogue'

export type Direction = 'synthesis' | 'recognition'

/** How a vendor speaks, as far as an application has to choose. */
export interface Synthesis {
  /** The languages to begin with: the first of them that is offered. */
  languages: readonly string[]
  /** The voice to begin with; the first of the language unless said. */
  voice?: string
  /** Its voices are models, which bring their language along. */
  voicesAreModels?: true
  /** It speaks to voice servers in a way of its own: nobody can listen to it from here. */
  noPreview?: true
}

/** How a vendor listens. */
export interface Recognition {
  languages: readonly string[]
  /** It hears every language: there is none to choose. */
  anyLanguage?: true
}

/** What is known of a credential, by the names of its fields, with the flags `use_for_tts` and `use_for_stt`. */
export type CredentialValues = Readonly<Record<string, unknown>>

/** Holds where every named field has this value; '' stands for nothing. */
export type Condition = Readonly<Record<string, string | 0 | 1>>

interface AnyField {
  /** On the wire and in the stored credential. */
  name: string
  label: string
  /** One line for who meets it the first time. */
  help?: string
  /** It must be there: always, or under a condition. */
  required?: true | Condition
  /** Only the form insists on it: the interface has always let it pass. */
  requiredInFormOnly?: true
  /** What the interface says where it is missing, if not the usual sentence. */
  missing?: string
  /** Asked only of a credential that is used in this direction. */
  direction?: Direction
  /** Asked only under this condition. */
  when?: Condition
  /** Cannot be changed once it is saved. Secrets never can. */
  immutable?: true
  /** What a new form begins with. */
  initial?: string
  /** A rare part, which folds away under this heading until it holds something. */
  section?: string
}

/**
 * How the address of a server is written: as `10.0.0.7:5000`, as a URL, as one of these two, or in any of these ways and without a port too.
 * A field with a form is where a credential is sent: see `secretsWanted`.
 */
export type AddressForm = 'host-port' | 'url' | 'host-port-or-url' | 'host'

/** A text. */
export interface TextField extends AnyField {
  kind: 'text'
  form?: AddressForm
  placeholder?: string
  /** What is kept where nothing is given. */
  emptyValue?: string
}
export interface SecretField extends AnyField {
  kind: 'secret'
  /** What is kept where nothing is given. */
  emptyValue?: string
}
export interface ChoiceField extends AnyField {
  kind: 'choice'
  options: readonly SpeechOption[]
  /** Something else may be typed. */
  allowsCustom?: true
  /** The options are the vendor's own servers; what is typed instead is written so. */
  form?: AddressForm
  /** The part of the vendor's catalogue that brings further options. */
  catalogueKey?: 'models' | 'sttModels'
  /** What a form sends along with whatever is chosen here. */
  alsoSets?: Readonly<Record<string, 0 | 1>>
  placeholder?: string
}
export interface FlagField extends AnyField {
  kind: 'flag'
}
/** JSON text. */
export interface JsonField extends AnyField {
  kind: 'json'
  /** What the field is filled with when somebody first opens it. */
  suggestion?: object
  /** The vendor's page about what may stand here. */
  page?: string
}
/** The file of a Google service account. Its parts are the stored credential, beside the other fields. */
export interface ServiceKeyField extends AnyField {
  kind: 'service-key'
}
/** Not kept but told from what is: which of several ways a credential goes. It decides what else is asked. */
export interface ModeField extends AnyField {
  kind: 'way'
  options: readonly SpeechOption[]
  derive: (values: CredentialValues) => string
  /** The way that lends a credential the server's own identity: only who runs the server may choose it. */
  serverIdentity?: string
}
/** The same where there are but two: a box that is ticked where `told` says so. */
export interface CheckboxField extends AnyField {
  kind: 'tick'
  derive: (values: CredentialValues) => boolean
}

export type Field =
  TextField | SecretField | ChoiceField | FlagField | JsonField | ServiceKeyField | ModeField | CheckboxField

/** A vendor of speech. This is all that there is to say of one: form, rules, obscuring and storage follow from it. */
export interface Vendor {
  /** What credentials and applications store. */
  vendor: string
  name: string
  /** null: it does not speak. */
  synthesis: Synthesis | null
  /** null: it does not listen. */
  recognition: Recognition | null
  /** Where somebody finds the keys of an own account: the vendor's page, and what it is called. */
  page?: { name: string; url: string }
  fields: readonly Field[]
  /** How the interface calls it where a field is missing, if not by `vendor`. */
  wireName?: string
  /**
   * Its languages, voices and models can be asked of the vendor: with a stored credential, or by anybody. Where that
   * fails, the project's own table answers, or the server says so. Without this entry there is only the table.
   * (The calls themselves, a kind for each interface, are the server's: `adapters/speech`.)
   */
  listSource?: { access: 'credential' | 'nothing'; onFailure: 'table' | 'refusal' }
  /** It speaks with voices that it has made for a customer, who names them beside the credential. */
  customVoices?: true
  /** An edition may be without it: it is offered unless that is switched off. */
  additional?: true
  /** A kind of vendor that installations add by themselves: its credentials bring a name, `custom:NAME`. */
  isNamedByInstallation?: true
}
