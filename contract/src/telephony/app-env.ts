/** A value of an application's environment variable. */
export type EnvValue = string | number | boolean

/** One environment variable, as the webhook that reads it describes it. */
export interface EnvVariable {
  type: 'string' | 'number' | 'boolean'
  description: string
  required?: boolean
  default?: EnvValue
  enum?: readonly unknown[]
  /** A secret: masked where it is shown. */
  obscure?: boolean
  /** How it is typed in: 'input', 'textarea' or 'filepicker'. */
  uiHint?: unknown
  /** What of the platform it names: 'carriers'. */
  jambonzResource?: unknown
}

/** The variables that a webhook takes, by name. */
export type EnvSchema = Record<string, EnvVariable>

/** The values that were given, by name; what nobody filled in is blank. */
export type EnvValues = Record<string, unknown>

export interface EnvError {
  name: string
  kind: 'missing' | 'invalid'
}

const isBlank = (value: unknown) => value === undefined || value === null || value === ''

/** The value of a variable; a name that every object has, such as `constructor`, is none. */
export const envValue = (values: EnvValues, name: string): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined

const isValid = ({ type, enum: choices }: EnvVariable, value: unknown) =>
  typeof value === type && (choices === undefined || choices.includes(value))

/** What is wrong with the values, in the order of the schema: a required one that is missing, or one of the wrong kind. */
export const envErrors = (schema: EnvSchema, values: EnvValues): EnvError[] =>
  Object.entries(schema).flatMap(([name, variable]): EnvError[] => {
    const value = envValue(values, name)
    if (isBlank(value)) return variable.required ? [{ name, kind: 'missing' }] : []
    return isValid(variable, value) ? [] : [{ name, kind: 'invalid' }]
  })

/** A typed-in text as the kind of value that the variable wants; what cannot be one stays as it is. */
const parseValue = ({ type }: EnvVariable, value: unknown): unknown => {
  if (type === 'boolean') return typeof value === 'string' ? value === 'true' : Boolean(value)
  if (type === 'number' && typeof value === 'string') {
    const number = Number(value)
    return Number.isFinite(number) ? number : value
  }
  return value
}

/** What of a form's values is sent: the variables of the schema that are filled in. False and 0 are. */
export const filledEnv = (schema: EnvSchema, values: EnvValues): EnvValues =>
  Object.fromEntries(
    Object.entries(schema).flatMap(([name, variable]) => {
      const value = envValue(values, name)
      return isBlank(typeof value === 'string' ? value.trim() : value) ? [] : [[name, parseValue(variable, value)]]
    }),
  )

/** The values that a form begins with where nothing is stored: what the webhook proposes, and no for a required yes or no. */
export const defaultEnv = (schema: EnvSchema): EnvValues =>
  Object.fromEntries(
    Object.entries(schema).flatMap(([name, { type, required, default: suggestedValue }]) => {
      const value = suggestedValue ?? (type === 'boolean' && required ? false : undefined)
      return value === undefined ? [] : [[name, value]]
    }),
  )
