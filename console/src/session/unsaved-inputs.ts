/**
 * Dialogs that keep their input for the next session. Secrets and confirmation texts are never kept: the user types
 * them again.
 */
export type RestorableDialog = 'add-provider'

/** Unsaved input from a session that ended unexpectedly. Kept only in this window's memory. */
export interface UnsavedInput {
  user_sid: string
  /** The service provider that was current: a new record belongs to it. */
  providerSid: string
  /** The URL of the screen, with its query. */
  url: string
  /** The dialog that holds the input. Absent: the screen's own form. */
  dialog?: RestorableDialog
  /** The changed values, by name. */
  values: Record<string, unknown>
  /** The same values before the change. */
  initialValues: Record<string, unknown>
}

/** The unsaved input of one screen: of its form, and of a dialog above it. */
let unsavedInputs: UnsavedInput[] = []

/** Saves input. Replaces earlier input of the same form, and all input of other screens and users. */
export const saveUnsavedInput = (unsavedInput: UnsavedInput) => {
  const { user_sid, url, dialog } = unsavedInput
  const isOtherInputOfScreen = (candidate: UnsavedInput) =>
    candidate.user_sid === user_sid && candidate.url === url && candidate.dialog !== dialog
  unsavedInputs = [...unsavedInputs.filter(isOtherInputOfScreen), unsavedInput]
}

/** Returns this user's unsaved input. Deletes the input of other users. */
export const getUnsavedInputs = (user_sid: string | undefined): readonly UnsavedInput[] => {
  // while the session ends, the screen may render once more without a user: keep the input
  if (user_sid === undefined) return []
  unsavedInputs = unsavedInputs.filter((candidate) => candidate.user_sid === user_sid)
  return unsavedInputs
}

/** Returns this user's unsaved input for a screen, and removes it. */
export const takeUnsavedInput = (
  user_sid: string | undefined,
  url: string,
  dialog?: RestorableDialog,
): UnsavedInput | undefined => {
  const unsavedInput = getUnsavedInputs(user_sid).find(
    (candidate) => candidate.url === url && candidate.dialog === dialog,
  )
  unsavedInputs = unsavedInputs.filter((candidate) => candidate !== unsavedInput)
  return unsavedInput
}
