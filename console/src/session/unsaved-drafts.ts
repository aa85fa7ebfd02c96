/**
 * Dialogs that keep their input for the next session. Secrets and confirmation texts are never kept: the user types
 * them again.
 */
export type DraftDialog = 'add-provider'

/** Unsaved input from a session that ended unexpectedly. Kept only in this window's memory. */
export interface Draft {
  user_sid: string
  /** The service provider that was current. A new record is added to it. */
  provider: string
  /** The URL of the page, with its query. */
  address: string
  /** The dialog that holds the input. Absent: the page's own form. */
  dialog?: DraftDialog
  /** The changed values, by name. */
  values: Record<string, unknown>
  /** The same values before the change. */
  begun: Record<string, unknown>
}

/** All belong to one page: to its form, and to a dialog above it. */
let drafts: Draft[] = []

export const saveDraft = (next: Draft) => {
  const { user_sid, address, dialog } = next
  const beside = (each: Draft) => each.user_sid === user_sid && each.address === address && each.dialog !== dialog
  drafts = [...drafts.filter(beside), next]
}

/** The drafts of this user. If another user signs in, the drafts are discarded for good. */
export const getDrafts = (user_sid: string | undefined): readonly Draft[] => {
  // no user is not another user: the page may render once more while the session ends
  if (user_sid === undefined) return []
  drafts = drafts.filter((each) => each.user_sid === user_sid)
  return drafts
}

/** Returns this user's draft for a page, and removes it. */
export const takeDraft = (user_sid: string | undefined, address: string, dialog?: DraftDialog): Draft | undefined => {
  const found = getDrafts(user_sid).find((each) => each.address === address && each.dialog === dialog)
  drafts = drafts.filter((each) => each !== found)
  return found
}
