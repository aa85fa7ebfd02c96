import type * as z from 'zod'

/** The body of an error response: a message, the field that caused it, and the records that prevent a deletion. */
export interface ProblemBody {
  msg: string
  field?: string
  dependents?: Dependent[]
}

/** A record that refers to another one and prevents its deletion. */
export interface Dependent {
  kind: string
  sid: string
  title: string
  /** The number of dependents of this kind, if only the first few are listed. */
  total?: number
}

type Issue = z.core.$ZodIssue

/** Describes the first issue of a zod error in a sentence with the path of the field (`call_hook.url`). */
export const toProblem = (error: { issues: readonly Issue[] }): { msg: string; field?: string } => {
  const issue = error.issues[0]
  if (!issue) return { msg: 'Bad request' }
  if (issue.code === 'invalid_union' && issue.errors[0]?.length) {
    const memberIssues = issue.errors[0].map((member) => ({ ...member, path: [...issue.path, ...member.path] }))
    if (memberIssues.some((member) => member.path.length > issue.path.length))
      return toProblem({ issues: memberIssues })
  }
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]] : issue.path
  const field = path.join('.')
  return { msg: formatMessage(issue, field), ...(field ? { field } : {}) }
}

/** The first issue of each member of a union. */
const listUnionIssues = (issue: Issue): Issue[] =>
  issue.code === 'invalid_union' ? issue.errors.flatMap((issues) => issues[0] ?? []) : []

/** Whether the value is absent. zod omits the input from its issues, so only the message text shows this. */
const isMissing = (issue: Issue): boolean =>
  /received undefined/.test(issue.message) || listUnionIssues(issue).some((member) => isMissing(member))

const typeNames: Record<string, string> = {
  int: 'a whole number',
  record: 'an object',
  array: 'a list',
  object: 'an object',
}

/** The values or types that would be valid. */
const listExpectedValues = (issue: Issue): string[] => {
  if (issue.code === 'invalid_value') return issue.values.map(String)
  if (issue.code === 'invalid_type') return [typeNames[issue.expected] ?? `a ${issue.expected}`]
  return listUnionIssues(issue).flatMap(listExpectedValues)
}

const formatLimit = (issue: Issue): string | undefined => {
  if (issue.code === 'too_small' && issue.origin === 'string') return 'must not be empty'
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}`
  if (issue.code !== 'too_big') return undefined
  const units: Record<string, string> = { string: ' characters', array: ' entries', file: ' bytes' }
  return `must be at most ${issue.maximum}${units[issue.origin] ?? ''}`
}

const formatMessage = (issue: Issue, field: string): string => {
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
  const limit = formatLimit(issue)
  if (limit) return `${field} ${limit}`
  const expectedNames = listExpectedValues(issue)
  if (expectedNames.length > 0) return `${field} must be ${expectedNames.join(' or ')}`
  return `invalid ${field}`
}

/** Matches zod's default messages. They do not name the field, so they are replaced. */
const genericMessage = /^(Invalid|Too big|Too small|Unrecognized)/
/** zod's default message for a custom rule without a message. */
const defaultRuleMessage = 'Invalid input'
