import { toProblem } from '@trunkline/contract/kit/problem'
import type { FieldErrors as ErrorTree, FieldValues, Resolver, ResolverResult } from 'react-hook-form'
import { set } from 'react-hook-form'
import type * as z from 'zod'
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
  const errors: FieldErrors = {}
  for (const issue of parsed.error.issues) {
    const { msg, field = '' } = toProblem({ issues: [issue] })
    errors[field] ??= msg.replace(field, labels.get(field) ?? field)
  }
  return errors
}

/** Required fields that are empty. */
export const validateRequired = (values: unknown, required: ReadonlyMap<string, string>): FieldErrors =>
  Object.fromEntries(
    [...required]
      .filter(([path]) => isBlank(getValueAt(values, path)))
      .map(([path, label]) => [path, `${label} is required.`]),
  )

/**
 * Creates a resolver for the form library. It reports empty required fields and the errors of `validateValues`.
 *
 * `isEdited`: the user has changed the field, it already has an error, or the form was submitted. Until then, an empty
 * field gets no error on blur. The same applies to the fields of a new row: when a list gets a row, the library validates
 * the complete list.
 */
export const createResolver = <Values extends FieldValues>(
  registry: FieldRegistry,
  validateValues: (values: Values) => FieldErrors,
  isEdited: (path: string) => boolean = () => true,
): Resolver<Values> => {
  const validate = (values: Values, names: readonly string[] = []): ResolverResult<Values> => {
    const allErrors: FieldErrors = { ...validateValues(values), ...validateRequired(values, registry.required) }
    // the library validates one field on blur, or one list when it gets a row; a save validates all fields
    const [validatedPath] = names.length === 1 ? names : []
    const isTooEarly = (path: string) =>
      validatedPath !== undefined &&
      !isEdited(path) &&
      (path === validatedPath ? isBlank(getValueAt(values, path)) : path.startsWith(`${validatedPath}.`))
    const fieldErrors = Object.fromEntries(Object.entries(allErrors).filter(([path]) => !isTooEarly(path)))
    const errors: ErrorTree<Values> = {}
    for (const [path, message] of Object.entries(fieldErrors)) set(errors, path || 'root', { type: 'rule', message })
    return Object.keys(fieldErrors).length > 0 ? { values: {}, errors } : { values, errors: {} }
  }
  return (values, _context, { names }) =>
    waitForPointerRelease()?.then(() => validate(values, names)) ?? validate(values, names)
}

/** The invalid fields of a form as errors by path. */
export const flattenErrors = (flatErrors: object, prefix = ''): FieldErrors =>
  Object.entries(flatErrors).reduce<FieldErrors>((errors, [name, error]: [string, unknown]) => {
    if (typeof error !== 'object' || error === null || name === 'ref') return errors
    const path = prefix + name
    const { type, message } = error as { type?: unknown; message?: unknown }
    if (typeof type === 'string' && typeof message === 'string') return { ...errors, [path]: message }
    return { ...errors, ...flattenErrors(error, `${path}.`) }
  }, {})
