/** Messages that apply to every kind of record. */
export const messages = {
  failed: 'Something went wrong, please try again.',
  /** Status 480: no feature server is available. */
  unavailable: 'Temporarily unavailable. Try again later.',
  recordGone: 'This record no longer exists. It may have been deleted.',
  noAccess: 'You do not have access to this resource',
  mayNotChange: (recordType: string) => `You do not have permissions to make changes to this ${recordType}`,
  mayNotManageSettings: 'You do not have permissions to manage Settings',
  screenNotFound: "That page doesn't exist.",
  crashed: 'Unexpected Application Error!',
  asterisk: 'Fields marked with an asterisk are required',
  /** The default name of a copied record. */
  copyOf: (name: string) => `Copy of ${name}`,
  /** Why a record was not deleted together with others. */
  inUseBy: (dependents: string) => `In use by ${dependents}.`,
  removesSession: 'Deleting your own user ends your session. Delete it on its own.',
  confirmBulkRemoval: (count: number, recordType: string) =>
    `Are you sure you want to delete ${count === 1 ? `this ${recordType}` : `these ${count.toLocaleString('en-US')} ${recordType}`}? This cannot be undone.`,
  exported: (count: number, recordType: string) => `Exported ${count.toLocaleString('en-US')} ${recordType}`,
  copied: (text: string) => `${text} copied to clipboard`,
  notCopied: (text: string) => `Unable to copy ${text}, please select the text and right click to copy`,
} as const
