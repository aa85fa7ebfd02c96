/** Refusals that several routes share. Existing clients depend on these texts, so they are part of the API. */
export const messages = {
  unknown: (field: string) => `unknown ${field}`,
  missing: (field: string) => `missing field ${field}`,
  immutable: (field: string) => `${field} may not be modified`,
  insufficientPrivileges: 'insufficient privileges',
  /** A record without an account cannot have an application. */
  accountMissing: 'account_sid missing',
  accountNotFound: (account_sid: string) => `account not found for sid ${account_sid}`,
  duplicate: (value: string, field: string) => `Duplicate entry '${value}' for key '${field}'`,
  samePassword: 'new password cannot be your old password',
  changedMeanwhile: 'Another request changed this record at the same time. Check its values and try again.',
} as const
