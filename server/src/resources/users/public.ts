export type { StoredUser, Users } from './repository'

/** May a user with these permissions only look? */
export const isViewOnly = (permissions: readonly string[]): boolean =>
  permissions.length === 1 && permissions[0] === 'VIEW_ONLY'
