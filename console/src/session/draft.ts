/** What somebody had typed into a form when the session ended under the hands. In this window's memory alone. */
export interface Draft {
  user_sid: string
  /** The provider that was looked at: a record is added below it. */
  provider: string
  /** The form's page. */
  address: string
  /** The values that were changed, by name. */
  values: Record<string, unknown>
}

let draft: Draft | undefined

export const keepDraft = (next: Draft) => {
  draft = next
}

/** Where this user was at work. Anybody else who comes finds nothing, and then it is gone for good. */
export const draftOf = (user_sid: string | undefined): Draft | undefined => {
  if (draft?.user_sid !== user_sid) draft = undefined
  return draft
}

/** What this user had typed on that page, once. */
export const takeDraft = (user_sid: string | undefined, address: string): Draft['values'] | undefined => {
  const found = draftOf(user_sid)
  if (found?.address !== address) return undefined
  draft = undefined
  return found.values
}
