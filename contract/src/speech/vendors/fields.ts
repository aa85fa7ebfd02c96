import type { SpeechOption } from '../catalogue'
import type { ChoiceField, JsonField, SecretField, TextField } from '../vendor'

/** The parts of descriptions that several vendors share. */

export const english = { languages: ['en-US'] }

export const apiKey: SecretField = { kind: 'secret', name: 'api_key', label: 'API key', required: true }

/** Options out of codes and names. */
export const optionsFromNames = (names: Readonly<Record<string, string>>): SpeechOption[] =>
  Object.entries(names).map(([value, name]) => ({ value, name }))

/** Options that are called as they are written. */
export const optionsFromValues = (...values: string[]): SpeechOption[] =>
  values.map((value) => ({ value, name: value }))

/** The model that speaks or listens: one of these, or what the vendor has brought out since. */
export const model = (options: readonly SpeechOption[], overrides: Partial<ChoiceField> = {}): ChoiceField => ({
  kind: 'choice',
  name: 'model_id',
  label: 'Model',
  required: true,
  options,
  allowsCustom: true,
  catalogueKey: 'models',
  ...(options[0] ? { initial: options[0].value } : {}),
  ...overrides,
})

/** What the vendor lets callers tune, as its own interface writes it. */
export const options = (suggestion: object, page: string): JsonField => ({
  kind: 'json',
  name: 'options',
  label: 'Options',
  section: 'Options',
  suggestion,
  page,
})

/** The address of a part that somebody runs on premises. */
export const hostPort = (
  name: string,
  label: string,
  overrides: Omit<Partial<TextField>, 'kind' | 'name' | 'label'> = {},
): TextField => ({ kind: 'text', name, label, form: 'host-port', placeholder: 'host:port', ...overrides })
