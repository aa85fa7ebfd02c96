import type { SpeechOption } from '../catalogue'
import type { ChoiceField, JsonField, SecretField, TextField } from '../vendor'

/** Fields and options that several vendors share. */

export const englishDefaults = { languages: ['en-US'] }

export const apiKeyField: SecretField = { kind: 'secret', name: 'api_key', label: 'API key', required: true }

/** Builds options from values and their names. */
export const optionsFromNames = (names: Readonly<Record<string, string>>): SpeechOption[] =>
  Object.entries(names).map(([value, name]) => ({ value, name }))

/** Builds options that use the value as the name. */
export const optionsFromValues = (...values: string[]): SpeechOption[] =>
  values.map((value) => ({ value, name: value }))

/** The model for synthesis or recognition. The user may type one that is newer than this list. */
export const createModelField = (
  options: readonly SpeechOption[],
  overrides: Partial<ChoiceField> = {},
): ChoiceField => ({
  kind: 'choice',
  name: 'model_id',
  label: 'Model',
  required: true,
  options,
  allowsCustom: true,
  catalogueKey: 'models',
  ...(options[0] ? { initialValue: options[0].value } : {}),
  ...overrides,
})

/** Tuning parameters of the vendor, in the format of the vendor's API. */
export const createOptionsField = (suggestion: object, page: string): JsonField => ({
  kind: 'json',
  name: 'options',
  label: 'Options',
  section: 'Options',
  suggestion,
  page,
})

/** The address of an on-premises server. */
export const createHostPortField = (
  name: string,
  label: string,
  overrides: Omit<Partial<TextField>, 'kind' | 'name' | 'label'> = {},
): TextField => ({ kind: 'text', name, label, addressFormat: 'host-port', placeholder: 'host:port', ...overrides })
