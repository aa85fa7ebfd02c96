import { problemOf } from '@trunkline/contract/kit/problem'
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import { set } from 'react-hook-form'
import type { z } from 'zod'
import type { FormFacts } from '../fields/form-facts'

/** Broken rules: the field's wire name, with dots inside, and the sentence to show under it. */
export type Faults = Record<string, string>

const blank = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

const at = (values: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], values)

/** What a schema says against a value, by field, in words for a person: a field is called by its label. */
export const schemaFaults = (schema: z.ZodType, value: unknown, labels: ReadonlyMap<string, string>): Faults => {
  const parsed = schema.safeParse(value)
  if (parsed.success) return {}
  const faults: Faults = {}
  for (const issue of parsed.error.issues) {
    const { msg, field = '' } = problemOf({ issues: [issue] })
    faults[field] ??= msg.replace(field, labels.get(field) ?? field)
  }
  return faults
}

/** Required fields that are blank. */
export const blankFaults = (values: unknown, required: ReadonlyMap<string, string>): Faults =>
  Object.fromEntries(
    [...required].filter(([path]) => blank(at(values, path))).map(([path, label]) => [path, `${label} is required.`]),
  )

/** A resolver of the form library from our three sources of rules: required fields, the contract's shape, the caller's. */
export const resolverOf =
  <Values extends FieldValues>(facts: FormFacts, check: (values: Values) => Faults): Resolver<Values> =>
  (values) => {
    const faults: Faults = { ...check(values), ...blankFaults(values, facts.required) }
    const errors: FieldErrors<Values> = {}
    for (const [path, message] of Object.entries(faults)) set(errors, path || 'root', { type: 'rule', message })
    return Object.keys(faults).length > 0 ? { values: {}, errors } : { values, errors: {} }
  }

/** The wrong fields of a form as faults by path. */
export const pathsOf = (errors: object, prefix = ''): Faults =>
  Object.entries(errors).reduce<Faults>((faults, [name, error]: [string, unknown]) => {
    if (typeof error !== 'object' || error === null || name === 'ref') return faults
    const path = prefix + name
    const { type, message } = error as { type?: unknown; message?: unknown }
    if (typeof type === 'string' && typeof message === 'string') return { ...faults, [path]: message }
    return { ...faults, ...pathsOf(error, `${path}.`) }
  }, {})

/** How many fields are wrong. */
export const countWrong = (errors: object): number => Object.keys(pathsOf(errors)).length
