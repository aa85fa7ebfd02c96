import type { z } from 'zod'

/** A refusal as it travels: a sentence, the field it belongs to, what stands in the way of a deletion. */
export interface ProblemBody {
  msg: string
  field?: string
  dependents?: Dependent[]
}

/** A record that uses another one and so keeps it from being deleted. */
export interface Dependent {
  kind: string
  sid: string
  title: string
}

type Issue = z.core.$ZodIssue

const missing = (issue: Issue) => issue.code === 'invalid_type' && 'input' in issue && issue.input === undefined

/** The first thing wrong in a zod error, as a sentence that names the field by its path (`call_hook.url`). */
export const problemOf = (error: { issues: readonly Issue[] }): { msg: string; field?: string } => {
  const issue = error.issues[0]
  if (!issue) return { msg: 'Bad request' }
  if (issue.code === 'invalid_union' && issue.errors[0]?.length) {
    const inner = issue.errors[0].map((each) => ({ ...each, path: [...issue.path, ...each.path] }))
    if (inner.some((each) => each.path.length > issue.path.length)) return problemOf({ issues: inner as Issue[] })
  }
  const field = issue.code === 'unrecognized_keys' ? issue.keys[0] : issue.path.join('.')
  return { msg: sentence(issue, field ?? ''), ...(field ? { field } : {}) }
}

const sentence = (issue: Issue, field: string): string => {
  if (issue.code === 'unrecognized_keys') return `unknown field ${field}`
  if (issue.message && !generic.test(issue.message)) return issue.message
  if (missing(issue) || /received undefined/.test(issue.message)) return `missing field ${field}`
  if (issue.code === 'too_big' && issue.origin === 'string') return `${field} must be at most ${issue.maximum} characters`
  if (issue.code === 'too_small' && issue.origin === 'string') return `${field} must not be empty`
  if (issue.code === 'invalid_value') return `${field} must be one of ${issue.values.join(', ')}`
  if (issue.code === 'invalid_type') return field ? `${field} must be ${article(issue.expected)}` : `a JSON ${issue.expected} is required`
  if (issue.code === 'invalid_format') return `invalid ${field}`
  return field ? `invalid value for ${field}` : 'Bad request'
}

const article = (noun: string) => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

/** zod's own wording, which names no field: ours is said instead. */
const generic = /^(Invalid|Too big|Too small|Unrecognized)/
