import type { SpeechOption } from './catalogue'

export type Direction = 'synthesis' | 'recognition'

/** The synthesis defaults of a vendor. */
export interface SynthesisDefaults {
  /** The default languages: the first one that is offered is used. */
  languages: readonly string[]
  /** The default voice. If absent, the first voice of the language. */
  voice?: string
  /** The voices are models, which determine the language. */
  usesModelsAsVoices?: true
  /** The vendor uses its own protocol with voice servers, so this server cannot play a preview. */
  hasNoPreview?: true
}

/** The recognition defaults of a vendor. */
export interface RecognitionDefaults {
  languages: readonly string[]
  /** The vendor recognizes every language, so there is none to choose. */
  recognizesAnyLanguage?: true
}

/** The values of a credential by field name, with the flags `use_for_tts` and `use_for_stt`. */
export type CredentialValues = Readonly<Record<string, unknown>>

/** True if every named field has this value. '' means blank. */
export type Condition = Readonly<Record<string, string | 0 | 1>>

interface BaseField {
  /** The name in the API and in the stored credential. */
  name: string
  label: string
  /** One line of help for a first-time user. */
  help?: string
  /** Whether the field is required: always, or under a condition. */
  required?: true | Condition
  /** Only the form requires the field: the API has always accepted requests without it. */
  requiredInFormOnly?: true
  /** The API's message for a missing value, if it differs from the standard one. */
  missingMessage?: string
  /** Applies only to credentials that are used in this direction. */
  direction?: Direction
  /** Applies only under this condition. */
  condition?: Condition
  /** Cannot be changed after saving. Secrets are always immutable. */
  isImmutable?: true
  /** The initial value in a new form. */
  initialValue?: string
  /** The heading of the collapsed section that contains this rarely used field. It opens when the field has a value. */
  section?: string
}

/**
 * The format of a server address: `10.0.0.7:5000`, a URL, either of these, or any of these with or without a port. A
 * field with an `addressFormat` determines where the credential is sent: see `findSecretsToReenter`.
 */
export type AddressFormat = 'host-port' | 'url' | 'host-port-or-url' | 'host'

export interface TextField extends BaseField {
  kind: 'text'
  addressFormat?: AddressFormat
  placeholder?: string
  /** The value to store if the field is blank. */
  emptyValue?: string
}
export interface SecretField extends BaseField {
  kind: 'secret'
  /** The value to store if the field is blank. */
  emptyValue?: string
}
export interface ChoiceField extends BaseField {
  kind: 'choice'
  options: readonly SpeechOption[]
  /** Allows values that are not in the list. */
  allowsCustom?: true
  /** The options are the vendor's own servers. Other values must have this format. */
  addressFormat?: AddressFormat
  /** The part of the vendor's catalogue that contributes more options. */
  catalogueKey?: 'models' | 'sttModels'
  /** Values that the form sends together with any selection. */
  impliedValues?: Readonly<Record<string, 0 | 1>>
  placeholder?: string
}
export interface FlagField extends BaseField {
  kind: 'flag'
}
/** JSON text. */
export interface JsonField extends BaseField {
  kind: 'json'
  /** The value to fill in when the user first opens the field. */
  suggestion?: object
  /** The vendor's documentation of this field. */
  page?: string
}
/**
 * The JSON file of a Google service account. Its properties are stored directly in the credential, beside the other
 * fields.
 */
export interface ServiceKeyField extends BaseField {
  kind: 'service-key'
}
/**
 * Not stored: one of several modes of a credential, derived from its values. It determines which other fields apply.
 */
export interface ModeField extends BaseField {
  kind: 'mode'
  options: readonly SpeechOption[]
  derive: (values: CredentialValues) => string
  /** The mode in which the credential uses the server's own identity. Only administrators may choose it. */
  serverIdentity?: string
}
/** A mode with two values, shown as a checkbox. `derive` returns whether it is checked. */
export interface CheckboxField extends BaseField {
  kind: 'checkbox'
  derive: (values: CredentialValues) => boolean
}

export type Field =
  TextField | SecretField | ChoiceField | FlagField | JsonField | ServiceKeyField | ModeField | CheckboxField

/** A speech vendor. Forms, validation, masking and storage are all derived from this description. */
export interface Vendor {
  /** The identifier that credentials and applications store. */
  vendor: string
  name: string
  /** null: no synthesis. */
  synthesis: SynthesisDefaults | null
  /** null: no recognition. */
  recognition: RecognitionDefaults | null
  /** The vendor's page where users find their access keys, and its name. */
  page?: { name: string; url: string }
  fields: readonly Field[]
  /** The vendor's name in the API's messages about missing fields, if it differs from `vendor`. */
  wireName?: string
  /**
   * How the server loads languages, voices and models from the vendor: with a stored credential or without one. If
   * loading fails, the server uses its own table or returns an error. Without `listSource`, only the table is used. The
   * requests are in the server's `adapters/speech`.
   */
  listSource?: { access: 'credential' | 'nothing'; onFailure: 'table' | 'refusal' }
  /** The vendor offers custom voices, which customers add to the credential by name. */
  hasCustomVoices?: true
  /** An edition can leave out this vendor. It is offered unless the feature flag is off. */
  isAdditional?: true
  /** A kind of vendor that installations add. Its credentials have the vendor `custom:NAME`. */
  isNamedByInstallation?: true
}
