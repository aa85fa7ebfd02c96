import { problemOf } from '@trunkline/contract/kit/problem'
import type { FieldErrors, FieldValues, Resolver, ResolverResult } from 'react-hook-form'
import { set } from 'react-hook-form'
import type { z } from 'zod'
import type { FormFacts } from '../fields/form-facts'
import { pointerHeld } from './pointer-held'

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

/**
 * A resolver of the form library from our three sources of rules: required fields, the contract's shape, the caller's.
 * `seen`: the field was changed, is wrong already, or the form was submitted. Until then nothing is refused for being
 * empty when the focus leaves it, nor a new row of a list, for which the library validates the whole list.
 */
export const resolverOf = <Values extends FieldValues>(
  facts: FormFacts,
  check: (values: Values) => Faults,
  seen: (path: string) => boolean = () => true,
): Resolver<Values> => {
  const judge = (values: Values, names: readonly string[] = []): ResolverResult<Values> => {
    const all: Faults = { ...check(values), ...blankFaults(values, facts.required) }
    // one field, when the focus leaves it, or one list, when it gets a row; a save names all fields
    const [only] = names.length === 1 ? names : []
    const isEarly = (path: string) =>
      only !== undefined && !seen(path) && (path === only ? blank(at(values, path)) : path.startsWith(`${only}.`))
    const faults = Object.fromEntries(Object.entries(all).filter(([path]) => !isEarly(path)))
    const errors: FieldErrors<Values> = {}
    for (const [path, message] of Object.entries(faults)) set(errors, path || 'root', { type: 'rule', message })
    return Object.keys(faults).length > 0 ? { values: {}, errors } : { values, errors: {} }
  }
  return (values, _context, { names }) => pointerHeld()?.then(() => judge(values, names)) ?? judge(values, names)
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
