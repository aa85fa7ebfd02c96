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
  /** How many of its kind there are, when only the first are named. */
  among?: number
}

type Issue = z.core.$ZodIssue

/** The first thing wrong in a zod error, as a sentence that names the field by its path (`call_hook.url`). */
export const problemOf = (error: { issues: readonly Issue[] }): { msg: string; field?: string } => {
  const issue = error.issues[0]
  if (!issue) return { msg: 'Bad request' }
  if (issue.code === 'invalid_union' && issue.errors[0]?.length) {
    const memberIssues = issue.errors[0].map((each) => ({ ...each, path: [...issue.path, ...each.path] }))
    if (memberIssues.some((each) => each.path.length > issue.path.length)) return problemOf({ issues: memberIssues })
  }
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]] : issue.path
  const field = path.join('.')
  return { msg: messageFor(issue, field), ...(field ? { field } : {}) }
}

/** The first issue of each member of a union. */
const unionIssues = (issue: Issue): Issue[] =>
  issue.code === 'invalid_union' ? issue.errors.flatMap((each) => each[0] ?? []) : []

/** Was there nothing at all? zod leaves the input out of its issues, but not out of its words. */
const isMissing = (issue: Issue): boolean =>
  /received undefined/.test(issue.message) || unionIssues(issue).some((each) => isMissing(each))

const typeNames: Record<string, string> = {
  int: 'a whole number',
  record: 'an object',
  array: 'a list',
  object: 'an object',
}

/** What would have been right. */
const expectedValues = (issue: Issue): string[] => {
  if (issue.code === 'invalid_value') return issue.values.map(String)
  if (issue.code === 'invalid_type') return [typeNames[issue.expected] ?? `a ${issue.expected}`]
  return unionIssues(issue).flatMap(expectedValues)
}

const limitMessage = (issue: Issue): string | undefined => {
  if (issue.code === 'too_small' && issue.origin === 'string') return 'must not be empty'
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}`
  if (issue.code !== 'too_big') return undefined
  const units: Record<string, string> = { string: ' characters', array: ' entries' }
  return `must be at most ${issue.maximum}${units[issue.origin] ?? ''}`
}

const messageFor = (issue: Issue, field: string): string => {
  if (issue.code === 'unrecognized_keys') return `unknown field ${field}`
  if (
    issue.message &&
    !(issue.code === 'custom' ? issue.message === defaultRuleMessage : genericMessage.test(issue.message))
  )
    return issue.message
  if (!field) return 'a JSON object is required'
  if (isMissing(issue)) return `missing field ${field}`
  if (issue.code === 'invalid_value' && issue.values.length > 1)
    return `${field} must be one of ${issue.values.join(', ')}`
  const limit = limitMessage(issue)
  if (limit) return `${field} ${limit}`
  const expectedNames = expectedValues(issue)
  if (expectedNames.length > 0) return `${field} must be ${expectedNames.join(' or ')}`
  return `invalid ${field}`
}

/** zod's own wording, which names no field: ours is said instead. */
const genericMessage = /^(Invalid|Too big|Too small|Unrecognized)/
/** What it says of a rule of ours that has no words. */
const defaultRuleMessage = 'Invalid input'
