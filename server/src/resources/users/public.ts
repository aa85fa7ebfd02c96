export type { StoredUser, Users } from './repository'

/** Whether a user with these permissions is view-only. */
export const isViewOnly = (permissions: readonly string[]): boolean =>
  permissions.length === 1 && permissions[0] === 'VIEW_ONLY'
