import { toProblem } from '@trunkline/contract/kit/problem'
import type { FieldErrors as ErrorTree, FieldValues, Resolver, ResolverResult } from 'react-hook-form'
import { set } from 'react-hook-form'
import type { z } from 'zod'
import type { FieldRegistry } from '../../fields/field-registry'
import { waitForPointerRelease } from '../record/pointer-press'

/** Validation errors: the field's wire name, with dots for nested fields, and the message to show below it. */
export type FieldErrors = Record<string, string>

const isBlank = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

const getValueAt = (values: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], values)

/** Validates a value against a schema. Returns field errors that name fields by their labels. */
export const validateSchema = (schema: z.ZodType, value: unknown, labels: ReadonlyMap<string, string>): FieldErrors => {
  const parsed = schema.safeParse(value)
  if (parsed.success) return {}
  const faults: FieldErrors = {}
  for (const issue of parsed.error.issues) {
    const { msg, field = '' } = toProblem({ issues: [issue] })
    faults[field] ??= msg.replace(field, labels.get(field) ?? field)
  }
  return faults
}

/** Required fields that are empty. */
export const validateRequired = (values: unknown, required: ReadonlyMap<string, string>): FieldErrors =>
  Object.fromEntries(
    [...required]
      .filter(([path]) => isBlank(getValueAt(values, path)))
      .map(([path, label]) => [path, `${label} is required.`]),
  )

/**
 * A resolver for the form library. Combines required fields, the contract's schema, and the caller's rules. `seen`: the
 * field was changed, already has an error, or the form was submitted. Before that, an empty field gets no error on
 * blur, and neither does a new row of a list, for which the library validates the complete list.
 */
export const createResolver = <Values extends FieldValues>(
  facts: FieldRegistry,
  check: (values: Values) => FieldErrors,
  seen: (path: string) => boolean = () => true,
): Resolver<Values> => {
  const judge = (values: Values, names: readonly string[] = []): ResolverResult<Values> => {
    const all: FieldErrors = { ...check(values), ...validateRequired(values, facts.required) }
    // the library validates one field on blur, or one list when it gets a row; a save validates all fields
    const [only] = names.length === 1 ? names : []
    const isEarly = (path: string) =>
      only !== undefined &&
      !seen(path) &&
      (path === only ? isBlank(getValueAt(values, path)) : path.startsWith(`${only}.`))
    const faults = Object.fromEntries(Object.entries(all).filter(([path]) => !isEarly(path)))
    const errors: ErrorTree<Values> = {}
    for (const [path, message] of Object.entries(faults)) set(errors, path || 'root', { type: 'rule', message })
    return Object.keys(faults).length > 0 ? { values: {}, errors } : { values, errors: {} }
  }
  return (values, _context, { names }) =>
    waitForPointerRelease()?.then(() => judge(values, names)) ?? judge(values, names)
}

/** The invalid fields of a form as errors by path. */
export const flattenErrors = (errors: object, prefix = ''): FieldErrors =>
  Object.entries(errors).reduce<FieldErrors>((faults, [name, error]: [string, unknown]) => {
    if (typeof error !== 'object' || error === null || name === 'ref') return faults
    const path = prefix + name
    const { type, message } = error as { type?: unknown; message?: unknown }
    if (typeof type === 'string' && typeof message === 'string') return { ...faults, [path]: message }
    return { ...faults, ...flattenErrors(error, `${path}.`) }
  }, {})

/** The number of invalid fields. */
export const countInvalidFields = (errors: object): number => Object.keys(flattenErrors(errors)).length
