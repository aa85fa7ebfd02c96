/** The sentences that belong to no one kind of record. */
export const messages = {
  failed: 'Something went wrong, please try again.',
  noAccess: 'You do not have access to this resource',
  mayNotChange: (what: string) => `You do not have permissions to make changes to this ${what}`,
  settingsNeedMore: 'You do not have permissions to manage Settings',
  restored: 'What you had typed before your session ended is back. It has not been saved yet.',
  noPage: "That page doesn't exist.",
  crashed: 'Unexpected Application Error!',
  asterisk: 'Fields marked with an asterisk are required',
  copied: (text: string) => `${text} copied to clipboard`,
  notCopied: (text: string) => `Unable to copy ${text}, please select the text and right click to copy`,
} as const
