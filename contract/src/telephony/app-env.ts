/** A value of an application's environment variable. */
export type EnvValue = string | number | boolean

/** One environment variable, as the webhook declares it. */
export interface EnvVariable {
  type: 'string' | 'number' | 'boolean'
  description: string
  required?: boolean
  default?: EnvValue
  enum?: readonly unknown[]
  /** A secret: the console masks its value. */
  obscure?: boolean
  /** The input to show: 'input', 'textarea' or 'filepicker'. */
  uiHint?: unknown
  /** The kind of platform record that the value names: 'carriers'. */
  jambonzResource?: unknown
}

/** The variables that a webhook declares, by name. */
export type EnvSchema = Record<string, EnvVariable>

/** The values by name. Values that are not filled in are blank. */
export type EnvValues = Record<string, unknown>

export interface EnvError {
  name: string
  kind: 'missing' | 'invalid'
}

const isBlank = (value: unknown) => value === undefined || value === null || value === ''

/** The value of a variable. Inherited properties, such as `constructor`, do not count. */
export const getEnvValue = (values: EnvValues, name: string): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined

const isValid = ({ type, enum: allowedValues }: EnvVariable, value: unknown) =>
  typeof value === type && (allowedValues === undefined || allowedValues.includes(value))

/** The errors of the values in the order of the schema: missing required values and values of the wrong type. */
export const findEnvErrors = (schema: EnvSchema, values: EnvValues): EnvError[] =>
  Object.entries(schema).flatMap(([name, variable]): EnvError[] => {
    const value = getEnvValue(values, name)
    if (isBlank(value)) return variable.required ? [{ name, kind: 'missing' }] : []
    return isValid(variable, value) ? [] : [{ name, kind: 'invalid' }]
  })

/** Converts form input to the variable's type. Values that cannot be converted stay unchanged. */
const parseValue = ({ type }: EnvVariable, value: unknown): unknown => {
  if (type === 'boolean') return typeof value === 'string' ? value === 'true' : Boolean(value)
  if (type === 'number' && typeof value === 'string') {
    const number = Number(value)
    return Number.isFinite(number) ? number : value
  }
  return value
}

/** The values to send: the schema's variables that are not blank. False and 0 are not blank. */
export const convertEnv = (schema: EnvSchema, values: EnvValues): EnvValues =>
  Object.fromEntries(
    Object.entries(schema).flatMap(([name, variable]) => {
      const value = getEnvValue(values, name)
      return isBlank(typeof value === 'string' ? value.trim() : value) ? [] : [[name, parseValue(variable, value)]]
    }),
  )

/** The initial form values if nothing is stored: the webhook's defaults, and false for required booleans. */
export const getDefaultEnv = (schema: EnvSchema): EnvValues =>
  Object.fromEntries(
    Object.entries(schema).flatMap(([name, { type, required, default: defaultValue }]) => {
      const value = defaultValue ?? (type === 'boolean' && required ? false : undefined)
      return value === undefined ? [] : [[name, value]]
    }),
  )
