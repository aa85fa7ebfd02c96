/** The dialogs whose text is kept. What is a secret, or is typed to show that it is meant, is typed anew. */
export type KeptDialog = 'add-provider'

/** What somebody had typed when the session ended under the hands. In this window's memory alone. */
export interface Draft {
  user_sid: string
  /** The provider that was looked at: a record is added below it. */
  provider: string
  /** The page, with all that its address says. */
  address: string
  /** The dialog over the page in which it was typed; absent: the page's own form. */
  dialog?: KeptDialog
  /** The values that were changed, by name. */
  values: Record<string, unknown>
  /** The same values as they were before. */
  begun: Record<string, unknown>
}

/** Of one page: of its form, and of a dialog that lay over it. */
let drafts: Draft[] = []

export const keepDraft = (next: Draft) => {
  const { user_sid, address, dialog } = next
  const beside = (each: Draft) => each.user_sid === user_sid && each.address === address && each.dialog !== dialog
  drafts = [...drafts.filter(beside), next]
}

/** What this user was at work on. Anybody else who comes finds nothing, and then it is gone for good. */
export const draftsOf = (user_sid: string | undefined): readonly Draft[] => {
  // nobody is no stranger: a page may be drawn once more as the session ends
  if (user_sid === undefined) return []
  drafts = drafts.filter((each) => each.user_sid === user_sid)
  return drafts
}

/** What this user had typed on that page, once. */
export const takeDraft = (user_sid: string | undefined, address: string, dialog?: KeptDialog): Draft | undefined => {
  const found = draftsOf(user_sid).find((each) => each.address === address && each.dialog === dialog)
  drafts = drafts.filter((each) => each !== found)
  return found
}
