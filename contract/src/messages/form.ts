/** Messages of forms. They are in their own file so that the console's first download does not include them. */
export const messages = {
  restored: 'Your unsaved changes from before your session ended are restored. Save to keep them.',
  restoredOver:
    'Your unsaved changes from before your session ended are restored, but someone else changed the same fields in the meantime. Check them and save again.',
  /** Follows the message that another user has saved the same record in the meantime. */
  inputKept: 'Their changes are now shown, together with your unsaved changes. Check them and save again.',
  fieldConflict: 'Someone else changed this field too. Saving replaces their value with yours.',
  /** For a secret that the server cannot decrypt. Only the operator of the server can fix that. */
  undecryptable: (secretType: string) =>
    `The stored ${secretType} cannot be decrypted with the server's current ENCRYPTION_SECRET and cannot be replaced. Ask the operator of the server.`,
} as const
